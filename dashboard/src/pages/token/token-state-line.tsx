import { useTranslation } from 'react-i18next';
import type { Token } from '../../../../core/schemas/token.ts';
import { lastUsed, tokenStatus } from '../../../../core/schemas/token-status.ts';
import { StateLine, type StateTone } from '../../components/object/state-mark.tsx';
import { useFormat } from '../../state/format.ts';
import { useRelativeTime } from '../../state/relative-time.ts';

/** What was seen to work longer ago says nothing about now. */
const provenSeconds = 3600;

type State = 'active' | 'quiet' | 'unused' | 'disabled' | 'expired' | 'exhausted';

const tones: Record<State, StateTone> = {
  active: 'good',
  quiet: 'unknown',
  unused: 'unknown',
  disabled: 'off',
  expired: 'warning',
  exhausted: 'danger',
};

/** How a token is doing, in one sentence. */
export function TokenStateLine({ token }: { token: Token }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const relative = useRelativeTime();
  const state = stateOf(token);
  const time = state === 'expired' ? format.time(token.expired_time) : relative(lastUsed(token));
  return (
    <StateLine tone={tones[state]} word={t(`token.state.${state}.word`)}>
      {t(`token.state.${state}.text`, { time })}
    </StateLine>
  );
}

function stateOf(token: Token): State {
  if (token.status === tokenStatus.expired) return 'expired';
  if (token.status === tokenStatus.exhausted) return 'exhausted';
  if (token.status !== tokenStatus.enabled) return 'disabled';
  const used = lastUsed(token);
  if (used === 0) return 'unused';
  return used >= Date.now() / 1000 - provenSeconds ? 'active' : 'quiet';
}
