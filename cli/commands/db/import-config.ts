import { runStep } from '../../channel-import.ts';
import type { Context } from '../../context.ts';
import { forEach } from '../../flag/selection.ts';
import { leftOf, preview, readConfig, shownOf } from '../../gateway-config.ts';
import type { ImportFlags } from './import-flags.ts';

/** Creates the channels that a file of LiteLLM or Portkey describes. */
export async function importConfig(context: Context, file: string, { dryRun = false, yes }: ImportFlags) {
  const { output, speak } = context;
  const app = await context.app();
  const config = await readConfig(context, app, file);
  const fresh = config.channels.filter(({ step }) => step.id === undefined);
  const data = {
    dry_run: dryRun,
    kind: config.kind,
    channels: config.channels.map(shownOf),
    left: leftOf(context, config),
  };
  if (dryRun && output.json) return output.done(speak('import.configWould', { count: fresh.length }), data);
  await preview(context, config);
  if (dryRun) return output.done(speak('import.configWould', { count: fresh.length }));
  if (config.channels.length === 0) return output.done(speak('import.configNone'), data);
  if (fresh.length > 0)
    await context.confirm(speak('import.configConfirm', { count: fresh.length, kind: config.kind }), yes);
  await forEach(
    context,
    config.channels.map(({ step }) => step),
    (step) => runStep(context, app, step, {}),
  );
  for (const { place, reason } of output.json ? data.left : []) {
    output.step({ place, result: 'left', reason }, speak('import.configLeft', { place, reason }));
  }
}
