import type { Command } from 'commander';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type Redemption, redemptionListSchema, redemptionStatus } from '../../../core/schemas/redemption.ts';
import type { Context } from '../../context.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { allOrNone, example, namesFrom, usage } from '../../flag/selection.ts';
import { findRedemptions, namesOf } from './find.ts';

interface Flags {
  invalid?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

export function addSwitch(noun: Command, context: Context): void {
  const { speak } = context;
  for (const verb of ['enable', 'disable'] as const) {
    const isOn = verb === 'enable';
    const status = isOn ? redemptionStatus.unused : redemptionStatus.disabled;
    const command = noun.command(verb).description(speak(isOn ? 'help.redemptionEnable' : 'help.redemptionDisable'));
    example(command, context, `redemption ${verb} 12 13`);
    command
      .argument('<codes...>', speak('argument.redemptions'))
      .option('--dry-run', speak('flag.dryRun'))
      .action(async (words: string[], { dryRun }: Flags, self: Command) => {
        const app = await context.app();
        const codes = await findRedemptions(app, await namesFrom(context, words, self));
        const work = () => app.services.redemptions.setStatusMany(systemActor, { ids: idsOf(codes), status });
        const tell = ({ id, name }: Redemption) => ({
          message: speak(isOn ? 'redemption.enabled' : 'redemption.disabled', { name: `${id} (${name})` }),
          data: { id, status },
        });
        await allOrNone(context, codes, work, tell, { dryRun });
      });
  }
  addRemove(noun, context);
}

function addRemove(noun: Command, context: Context): void {
  const { speak } = context;
  const command = noun.command('remove').description(speak('help.redemptionRemove'));
  example(command, context, 'redemption remove 12', 'redemption remove --invalid --yes');
  command
    .argument('[codes...]', speak('argument.redemptions'))
    .option('--invalid', speak('flag.invalid'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { invalid, dryRun, yes }: Flags, self: Command) => {
      if (invalid && words.length > 0) throw usage(self, speak('usage.oneOf', { flags: '<codes...>, --invalid' }));
      if (invalid) return removeInvalid(context, { dryRun, yes });
      const app = await context.app();
      const codes = await findRedemptions(app, await namesFrom(context, words, self));
      const details = { names: namesOf(codes), count: codes.length };
      if (!dryRun) await context.confirm(speak('redemption.askRemove', details), yes);
      const work = () => app.services.redemptions.removeMany(systemActor, idsOf(codes));
      const tell = ({ id, name }: Redemption) => ({
        message: speak('redemption.removed', { name: `${id} (${name})` }),
        data: { id },
      });
      await allOrNone(context, codes, work, tell, { dryRun });
    });
}

const idsOf = (codes: Redemption[]) => codes.map(({ id }) => id);

/** Those that were used, disabled, or not used in time. */
async function removeInvalid(context: Context, { dryRun, yes }: Pick<Flags, 'dryRun' | 'yes'>): Promise<void> {
  const { app, output, speak } = context;
  const { redemptions } = (await app()).services;
  const work = () => redemptions.removeInvalid(systemActor);
  if (dryRun) return rehearse(context, work);
  const totalOf = async (filter: { status?: number }) =>
    (await redemptions.list(systemActor, redemptionListSchema.parse({ ...filter, page_size: 1 }))).total;
  const count = (await totalOf({})) - (await totalOf({ status: redemptionStatus.unused }));
  if (count > 0) await context.confirm(speak('redemption.askRemoveInvalid', { count }), yes);
  const removed = await work();
  output.done(speak('redemption.removedInvalid', { count: removed }), { count: removed });
}
