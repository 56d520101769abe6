import type { Database } from '../../core/database/connect.ts';
import { addValue, type Distribution, histogramText } from '../../core/services/health/histogram.ts';

interface SeenHealth {
  channelId: number;
  model: string;
  ok: number;
  failed?: number;
  /** Milliseconds of each stream. */
  firstTokens?: number[];
  /** Tokens per second of each stream. */
  speeds?: number[];
  error?: string;
  /** How long ago it was, in seconds: within 5 minutes unless told. */
  ago?: number;
}

const spans = [60, 3600];

/** What a server has seen of channels, in the minute and in the hour it was in. */
export async function addChannelHealth(database: Database, seen: SeenHealth[]): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const rows = seen.flatMap((one) => {
    const { channelId, model, ok, failed = 0, firstTokens = [], speeds = [], error = '', ago = 30 } = one;
    const at = now - ago;
    return spans.map((seconds) => ({
      seconds,
      slot: at - (at % seconds),
      channel_id: channelId,
      model,
      process: `server ${ago}`,
      ok,
      failed,
      first_token: histogramText(histogramOf(firstTokens)),
      speed: histogramText(histogramOf(speeds)),
      error,
      error_code: failed > 0 ? '503' : '',
      error_at: failed > 0 ? at : 0,
    }));
  });
  await database.channelHealth.bulkCreate(rows);
}

function histogramOf(values: number[]): Distribution {
  const histogram: Distribution = new Map();
  for (const value of values) addValue(histogram, value);
  return histogram;
}
