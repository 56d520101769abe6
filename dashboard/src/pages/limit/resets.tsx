import { useTranslation } from 'react-i18next';
import { useFormat } from '../../state/format.ts';
import { spaced } from '../../state/relative-time.ts';

const steps = [
  { unit: 'day', seconds: 86_400, from: 2 * 86_400 },
  { unit: 'hour', seconds: 3600, from: 2 * 3600 },
  { unit: 'minute', seconds: 60, from: 0 },
] as const;

/** `in 5 hr`, and the moment itself when it is pointed at. */
export function Resets({ at, isSentence = false }: { at: number; isSentence?: boolean }) {
  const { t, i18n } = useTranslation('limit');
  const format = useFormat();
  if (at === 0) return isSentence ? null : '–';
  const left = Math.max(0, at - Date.now() / 1000);
  const { unit, seconds } = steps.find(({ from }) => left >= from) ?? steps[2];
  const relative = new Intl.RelativeTimeFormat(i18n.language, { style: 'short' });
  const when = spaced(relative.format(Math.ceil(left / seconds), unit));
  return <span title={format.time(at)}>{isSentence ? t('resets', { when }) : when}</span>;
}
