import { formatQuota } from '../../../core/billing/quota.ts';
import type { TakeoverReport } from '../../../core/services/takeover/takeover.ts';
import type { TableReport, TakeoverReason, UserBalance } from '../../../core/services/takeover/taking.ts';
import type { Context } from '../../context.ts';
import { exitCode } from '../../failure.ts';
import type { Column } from '../../output.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import type { Sentence } from '../../text.ts';

const columns: Column<TableReport>[] = [
  { title: 'TABLE', value: ({ table }) => table, keep: true },
  { title: 'READ', value: ({ read }) => read, right: true },
  { title: 'TAKEN', value: ({ taken }) => taken, right: true },
  { title: 'PRESENT', value: ({ present }) => present, right: true },
  { title: 'SKIPPED', value: ({ skipped }) => skipped, right: true, color: ({ skipped }) => skippedColor(skipped) },
  { title: 'CHANGED', value: ({ changed }) => changed, right: true },
];

const skippedColor = (count: number) => (count > 0 ? 'yellow' : undefined);

const reasonText: Record<TakeoverReason, Sentence> = {
  deleted: 'import.deleted',
  nameTaken: 'import.nameTaken',
  nameChanged: 'import.nameChanged',
  outsideTaken: 'import.outsideTaken',
  noKey: 'import.noKey',
  keyTaken: 'import.keyTaken',
  severalKeys: 'import.severalKeys',
  typeUnknown: 'import.typeUnknown',
  noUser: 'import.noUser',
  badAddresses: 'import.badAddresses',
  badSetting: 'import.badSetting',
  codeForm: 'import.codeForm',
  unpaid: 'import.unpaid',
  optionUnknown: 'import.optionUnknown',
  optionInvalid: 'import.optionInvalid',
  optionSet: 'import.optionSet',
  rootLowered: 'import.rootLowered',
  goneHere: 'import.goneHere',
  otherSignIn: 'import.otherSignIn',
  autoGroup: 'import.autoGroup',
  backupGroup: 'import.backupGroup',
  fieldLost: 'import.fieldLost',
  usedSince: 'import.usedSince',
  usedTwice: 'import.usedTwice',
  closedSince: 'import.closedSince',
  olderCopy: 'import.olderCopy',
  quotaLowered: 'import.quotaLowered',
  noStatus: 'import.noStatus',
  noEnd: 'import.noEnd',
  badId: 'import.badId',
};

/** What was taken, what was not and why, how balances changed, and whether the books are right with it. */
export async function printReport(context: Context, report: TakeoverReport, dryRun: boolean): Promise<void> {
  const { output, speak } = context;
  const { tables, balances, left, end_unknown } = report;
  const { ledger } = await context.app();
  const proof = await ledger.verify();
  if (!proof.ok) context.exitCode = exitCode.failed;
  const taken = tables.reduce((sum, table) => sum + table.taken + table.changed, 0);
  const message = dryRun ? speak('import.wouldTake', { count: taken }) : speak('import.taken', { count: taken });
  if (output.json) return output.done(message, { dry_run: dryRun, tables, balances, left, ledger: proof, end_unknown });
  await output.list({ items: tables, page: 1, page_size: tables.length, total: tables.length }, columns);
  if (dryRun) await printBalances(context, balances);
  printNotes(context, report);
  if (end_unknown) output.say(speak('import.endUnknown'));
  output.say(message);
  output.say(
    proof.ok ? speak('ledger.ok', proof.checked) : speak('check.ledgerWrong', { count: proof.differenceCount }),
  );
}

function printNotes({ output, speak }: Context, { tables, left }: TakeoverReport): void {
  for (const { table, notes } of tables) {
    for (const { reason, count, examples } of notes) {
      const names = examples.join(', ') + (count > examples.length ? ', …' : '');
      output.say(speak('import.note', { table, count, reason: speak(reasonText[reason]), names }));
    }
  }
  for (const { table, rows } of left) output.say(speak('import.left', { table, rows }));
}

/** More would scroll away; the sums below are of all. */
const maxBalances = 100;

/** Of every user before and after: what a dry run is for. */
async function printBalances(context: Context, balances: UserBalance[]): Promise<void> {
  const { output, speak } = context;
  const { services } = await context.app();
  const money = (quota: number) => formatQuota(quota, quotaFormat(services.options));
  const items = balances.slice(0, maxBalances);
  const page = { items, page: 1, page_size: items.length, total: items.length };
  await output.list(page, [
    { title: 'USER', value: ({ username }) => username, keep: true },
    { title: 'SOURCE', value: ({ source }) => money(source), right: true },
    { title: 'BEFORE', value: ({ before }) => money(before), right: true },
    {
      title: 'AFTER',
      value: ({ after }) => money(after),
      right: true,
      color: ({ after, source }) => (after === source ? 'green' : 'yellow'),
    },
  ]);
  const rest = balances.length - items.length;
  if (rest > 0) output.say(speak('import.moreBalances', { count: rest }));
  const sum = (name: 'source' | 'before' | 'after') =>
    money(balances.reduce((total, balance) => total + balance[name], 0));
  const sums = { source: sum('source'), before: sum('before'), after: sum('after') };
  output.say(speak('import.balanceSum', { count: balances.length, ...sums }));
}
