import type { ChannelHealthRow } from '../../database/models/channel-health.ts';
import { secondsPerHour } from '../../lib/clock.ts';
import { addValue, type Distribution, histogramText } from './histogram.ts';

/** Spans that rows are kept of, in seconds. */
export const minute = 60;
const spans = [minute, secondsPerHour];

/** How fast a response came; undefined where it could not be measured. */
export interface ResponseSpeed {
  /** Milliseconds until the first token. */
  firstTokenMs: number | undefined;
  tokensPerSecond: number | undefined;
}

export interface HealthFailure {
  /** What the upstream said, as far as it may be kept. */
  message: string;
  /** HTTP status or name. */
  code: string;
}

interface Cell {
  key: Pick<ChannelHealthRow, 'seconds' | 'slot' | 'channel_id' | 'model'>;
  ok: number;
  failed: number;
  firstToken: Distribution;
  speed: Distribution;
  error: HealthFailure;
  errorAt: number;
  isChanged: boolean;
}

/** What this process saw in the minute and the hour that have not ended, and what of it waits to be written. */
export class HealthCells {
  private readonly cells = new Map<string, Cell>();
  private readonly process: string;

  constructor(process: string) {
    this.process = process;
  }

  served(place: HealthPlace, { firstTokenMs, tokensPerSecond }: ResponseSpeed, at: number): void {
    for (const seconds of spans) {
      const cell = this.cellOf(seconds, place, at);
      cell.ok += 1;
      if (firstTokenMs !== undefined) addValue(cell.firstToken, firstTokenMs);
      if (tokensPerSecond !== undefined) addValue(cell.speed, tokensPerSecond);
    }
  }

  failed(place: HealthPlace, error: HealthFailure, at: number): void {
    for (const seconds of spans) {
      const cell = this.cellOf(seconds, place, at);
      cell.failed += 1;
      cell.error = error;
      cell.errorAt = at;
    }
  }

  /** The rows that changed since the last time; `written` is to be called when they are. */
  take(at: number): { rows: ChannelHealthRow[]; written(): void; lost(): void } {
    const changed = [...this.cells.values()].filter(({ isChanged }) => isChanged);
    for (const cell of changed) cell.isChanged = false;
    return {
      rows: changed.map((cell) => this.rowOf(cell)),
      written: () => this.forget(at),
      lost: () => {
        for (const cell of changed) cell.isChanged = true;
      },
    };
  }

  private cellOf(seconds: number, { channelId, model }: HealthPlace, at: number): Cell {
    const slot = at - (at % seconds);
    const id = `${seconds} ${slot} ${channelId} ${model}`;
    let cell = this.cells.get(id);
    if (!cell) {
      cell = { key: { seconds, slot, channel_id: channelId, model }, ...empty() };
      this.cells.set(id, cell);
    }
    cell.isChanged = true;
    return cell;
  }

  private rowOf({ key, ok, failed, firstToken, speed, error, errorAt }: Cell): ChannelHealthRow {
    return {
      ...key,
      process: this.process,
      ok,
      failed,
      first_token: histogramText(firstToken),
      speed: histogramText(speed),
      error: error.message,
      error_code: error.code,
      error_at: errorAt,
    };
  }

  /** What has ended and is written. */
  private forget(at: number): void {
    for (const [id, { key, isChanged }] of this.cells) {
      if (!isChanged && key.slot + key.seconds <= at) this.cells.delete(id);
    }
  }
}

export interface HealthPlace {
  channelId: number;
  /** As callers name it. */
  model: string;
}

const empty = (): Omit<Cell, 'key'> => ({
  ok: 0,
  failed: 0,
  firstToken: new Map(),
  speed: new Map(),
  error: { message: '', code: '' },
  errorAt: 0,
  isChanged: true,
});
