import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import type { HealthSpan } from '../../schemas/channel-health.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import type { FirstTokenLimit } from '../../schemas/first-token.ts';
import type { Tiers } from '../../services/routing.ts';
import { type Attachment, turnOf } from '../affinity/affinity.ts';
import type { ExplainedChannel } from './explanation.ts';
import {
  type ListedChannel,
  listChannels,
  nearModels,
  type PassedOverDependencies,
  reasonsAgainst,
  whyDisabled,
} from './passed-over.ts';
import type { ExplainedTurn } from './turns.ts';

interface Chosen {
  group: string;
  model: string;
  tiers: Tiers;
  pinned: boolean;
  faults: ReadonlyMap<number, AppError>;
  turns: readonly ExplainedTurn[];
  firstTokens: ReadonlyMap<number, FirstTokenLimit>;
  attachment: Attachment | undefined;
  health: ReadonlyMap<number, HealthSpan>;
}

/** What becomes of each channel of the installation: those that are tried in their order, then the others. */
export async function explainChannels(
  chosen: Chosen,
  dependencies: PassedOverDependencies & { database: Database },
): Promise<ExplainedChannel[]> {
  const rows = await listChannels(dependencies.database);
  const near = nearModels(rows, chosen.model);
  const order = new Map(chosen.turns.map(({ channel }, index) => [channel.id, index]));
  const place = ({ id }: ListedChannel) => order.get(id) ?? chosen.turns.length;
  const channels: ExplainedChannel[] = [];
  for (const row of rows.sort((a, b) => place(a) - place(b) || b.priority - a.priority || a.id - b.id)) {
    const { id, name, type, status, priority, weight } = row;
    channels.push({
      id,
      name,
      type,
      status,
      priority,
      weight,
      health: chosen.health.get(id),
      ...(await lotOf(row, { ...chosen, near }, dependencies)),
    });
  }
  return channels;
}

async function lotOf(
  row: ListedChannel,
  { group, model, tiers, pinned, faults, turns, firstTokens, attachment, near }: Chosen & { near: string[] },
  dependencies: PassedOverDependencies,
): Promise<Pick<ExplainedChannel, 'turn' | 'chance' | 'conversation' | 'firstToken' | 'reasons'>> {
  const fault = faults.get(row.id);
  const own = fault ? [fault] : [];
  const tried = turns.find(({ channel }) => channel.id === row.id);
  if (tried) {
    const isOff = row.status !== channelStatus.enabled;
    const reasons = [...tried.reasons, ...own, ...(isOff ? [await whyDisabled(row, dependencies.audit)] : [])];
    const conversation = tried.turn === 1 && attachment ? turnOf(attachment, row.id) : undefined;
    return { turn: tried.turn, chance: tried.chance, conversation, firstToken: firstTokens.get(row.id), reasons };
  }
  const never = { turn: undefined, chance: 0, conversation: undefined, firstToken: undefined };
  if (own.length > 0) return { ...never, reasons: own };
  const [only] = tiers.flat();
  if (pinned && only) return { ...never, reasons: [new AppError('explain.otherChannel', { id: only.id })] };
  return { ...never, reasons: await reasonsAgainst(row, { group, model, near }, dependencies) };
}
