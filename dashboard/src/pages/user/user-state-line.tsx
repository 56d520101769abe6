import { useTranslation } from 'react-i18next';
import { userStatus } from '../../../../core/schemas/user.ts';
import type { UserSummary } from '../../../../core/schemas/user-inspection.ts';
import { StateLine, type StateTone } from '../../components/object/state-mark.tsx';
import { useFormat } from '../../state/format.ts';
import { useRelativeTime } from '../../state/relative-time.ts';

/** What was seen to work longer ago says nothing about now. */
const provenSeconds = 3600;

type State = 'gone' | 'banned' | 'empty' | 'active' | 'quiet' | 'unused';

const tones: Record<State, StateTone> = {
  gone: 'off',
  banned: 'off',
  empty: 'danger',
  active: 'good',
  quiet: 'unknown',
  unused: 'unknown',
};

/** How an account is doing, in one sentence. */
export function UserStateLine({ summary }: { summary: UserSummary }) {
  const { t } = useTranslation('user');
  const format = useFormat();
  const relative = useRelativeTime();
  const state = stateOf(summary);
  const values = { time: relative(summary.last_used_time), balance: format.quota(summary.user.quota) };
  return (
    <StateLine tone={tones[state]} word={t(`state.${state}.word`)}>
      {t(`state.${state}.text`, values)}
    </StateLine>
  );
}

function stateOf({ user, last_used_time: used }: UserSummary): State {
  if (user.DeletedAt !== null) return 'gone';
  if (user.status !== userStatus.enabled) return 'banned';
  if (user.quota <= 0) return 'empty';
  if (used === 0) return 'unused';
  return used >= Date.now() / 1000 - provenSeconds ? 'active' : 'quiet';
}
