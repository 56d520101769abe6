import { useFormat } from '../state/format.ts';
import { useRelativeTime } from '../state/relative-time.ts';

/** A moment as people say it, and exactly when it is pointed at. Unix seconds; a dash for 0. */
export function When({ seconds }: { seconds: number }) {
  const format = useFormat();
  const relative = useRelativeTime();
  return (
    <span title={seconds > 0 ? format.time(seconds) : undefined} style={{ whiteSpace: 'nowrap' }}>
      {relative(seconds)}
    </span>
  );
}
