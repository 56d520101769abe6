import { nowSeconds } from '../../../../core/lib/clock.ts';
import { type Redemption, redemptionListStatus, redemptionStatus } from '../../../../core/schemas/redemption.ts';
import { wordsIn } from '../../../../core/text/text.ts';
import { formatTime } from '../../../flag/value.ts';
import { type Detail, Details } from '../../components/details.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { useQuota } from '../../hooks/use-quota.ts';

/** With the name of who used it; '' for one that is not used. */
export interface UsedCode extends Redemption {
  usedBy: string;
}

/** With the whole code: users who may create codes may see them. */
export function RedemptionDetails({ code }: { code: UsedCode }) {
  const environment = useEnvironment();
  const quota = useQuota();
  const { id, name } = code;
  const title = environment.speak('tui.redemption.title', { id, name });
  return <Details title={title} details={codeDetails(code, environment, quota)} />;
}

export function codeDetails(code: UsedCode, environment: Environment, quota: (units: number) => string): Detail[] {
  const { speak, language } = environment;
  const { key, key_problem = '', expired_time, redeemed_time, usedBy } = code;
  return [
    [speak('tui.redemption.detail.code'), key || wordsIn(language, key_problem)],
    [speak('tui.redemption.detail.status'), codeStatusText(code, environment)],
    [speak('tui.redemption.field.quota'), quota(code.quota)],
    [
      speak('tui.redemption.field.expires'),
      expired_time > 0 ? formatTime(expired_time) : speak('tui.redemption.never'),
    ],
    [speak('tui.redemption.detail.created'), formatTime(code.created_time)],
    [speak('tui.redemption.detail.usedBy'), usedBy],
    [speak('tui.redemption.detail.used'), redeemed_time > 0 ? formatTime(redeemed_time) : ''],
  ];
}

/** New codes, one a line, so that they can be marked with the mouse. */
export function NewCodes({ keys, name, quota }: { keys: string[]; name: string; quota: number }) {
  const { speak } = useEnvironment();
  const worth = useQuota()(quota);
  // Without a name their worth is their name.
  const title = speak('tui.redemption.codesTitle', { count: keys.length, name: name || worth, quota: worth });
  return <Details title={title} details={keys.map((key): Detail => ['', key])} />;
}

/** A code that was not used in time counts as expired alone. */
export function codeState({ status, expired_time }: Redemption): number {
  const isOver = status === redemptionStatus.unused && expired_time > 0 && expired_time <= nowSeconds();
  return isOver ? redemptionListStatus.expired : status;
}

export function codeStatusText(code: Redemption, { speak, symbols }: Environment): string {
  const words: Record<number, string> = {
    [redemptionListStatus.unused]: `${symbols.on} ${speak('tui.redemption.unused')}`,
    [redemptionListStatus.disabled]: `${symbols.off} ${speak('tui.redemption.disabled')}`,
    [redemptionListStatus.used]: `${symbols.good} ${speak('tui.redemption.used')}`,
    [redemptionListStatus.expired]: `${symbols.auto} ${speak('tui.redemption.expired')}`,
  };
  return words[codeState(code)] ?? String(code.status);
}
