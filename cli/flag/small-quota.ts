import type { QuotaFormat } from '../../core/billing/quota.ts';
import type { Context } from '../context.ts';
import { smallQuotaQuestion } from '../print/quota-change.ts';

interface Flags {
  dryRun?: boolean | undefined;
  yes?: boolean | undefined;
}

/** Where `5` was written and `$5` was probably meant: people are asked, scripts need `--yes`. */
export async function askSmallQuota(
  { speak, confirm }: Pick<Context, 'speak' | 'confirm'>,
  text: string | undefined,
  format: QuotaFormat,
  { dryRun, yes }: Flags,
): Promise<void> {
  const question = text === undefined || dryRun ? undefined : smallQuotaQuestion(speak, text, format);
  if (question !== undefined) await confirm(question, yes);
}
