import type { App } from '../core/app.ts';
import { systemActor } from '../core/schemas/actor.ts';
import { readChannelDocument } from '../core/schemas/channel-document.ts';
import type { ImportStep } from '../core/services/channel/transfer.ts';
import type { ConfigPlan, LeftOut, PlannedChannel } from '../core/services/gateway-config/plan.ts';
import { coded } from '../core/text/coded.ts';
import { wordsIn } from '../core/text/text.ts';
import { refusalsOf, runStep } from './channel-import.ts';
import type { Context } from './context.ts';
import { readTextFile } from './input/secret.ts';
import type { Column } from './output.ts';

/** A channel of the file that can be created, or is here already. */
interface CheckedChannel {
  planned: PlannedChannel;
  step: ImportStep;
}

interface CheckedConfig {
  kind: ConfigPlan['kind'];
  channels: CheckedChannel[];
  left: LeftOut[];
}

/** Reads the file and checks each channel as `channel import` would; what is refused is left out by name. */
export async function readConfig(context: Context, app: App, file: string): Promise<CheckedConfig> {
  const { readGatewayConfig } = await import('../core/services/gateway-config/read.ts');
  const plan = readGatewayConfig(file, await readTextFile(file), (name) => context.host.env[name]);
  const config: CheckedConfig = { kind: plan.kind, channels: [], left: [...plan.left] };
  for (const planned of plan.channels) {
    const { entries, problems } = readChannelDocument([planned.entry]);
    const [entry] = entries;
    const [step] = entry ? await app.services.channels.planImport(systemActor, [entry]) : [];
    const [wrong] =
      problems.length > 0 || !step ? problems : refusalsOf(app.services, step.entry, step.id === undefined);
    if (step && !wrong) config.channels.push({ planned, step });
    else {
      const reason = coded('gateway.refused', { name: planned.name, reason: wrong?.reason ?? '' });
      config.left.push({ place: planned.place, reason });
    }
  }
  return config;
}

/** What will be created, and line by line what will not. */
export async function preview(context: Context, config: CheckedConfig): Promise<void> {
  const { output, speak } = context;
  const left = leftOf(context, config);
  if (output.json) return;
  const items = config.channels.map(shownOf);
  const columns: Column<(typeof items)[number]>[] = [
    { title: 'NAME', value: ({ name }) => name, keep: true },
    { title: 'TYPE', value: ({ type }) => type },
    { title: 'BASE URL', value: ({ base_url: address }) => address || '-' },
    { title: 'KEY', value: ({ key_from: from }) => from || speak('import.keyFromFile') },
    { title: 'MODELS', value: ({ models }) => models },
  ];
  await output.list({ items, page: 1, page_size: items.length, total: items.length }, columns);
  for (const { place, reason } of left) output.say(speak('import.configLeft', { place, reason }));
}

/** Without the key itself. */
export function shownOf({ planned, step }: CheckedChannel) {
  const { name, keyFrom, place, entry } = planned;
  const { base_url = '', models, model_mapping = '', priority = 0, weight = 0 } = step.entry.values;
  const type = String(entry.type);
  return {
    place,
    name,
    type,
    base_url,
    models,
    model_mapping,
    priority,
    weight,
    key_from: keyFrom,
    id: step.id ?? null,
  };
}

export function leftOf({ output }: Context, { left }: CheckedConfig): LeftOut[] {
  return left.map(({ place, reason }) => ({ place, reason: wordsIn(output.language, reason) }));
}

/** For the wizard: the same without a question, and the ids of the channels. */
export async function createFromConfig(context: Context, app: App, file: string): Promise<number[]> {
  const { output, speak } = context;
  const config = await readConfig(context, app, file);
  await preview(context, config);
  if (config.channels.length === 0) output.say(`  ${speak('import.configNone')}`);
  const ids: number[] = [];
  for (const { step } of config.channels) {
    const { message, data } = await runStep(context, app, step, {});
    output.say(`  ${message}`);
    ids.push(data.id);
  }
  return ids;
}
