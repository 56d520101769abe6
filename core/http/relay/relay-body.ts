import type { IncomingMessage } from 'node:http';
import { promptWords } from '../../canonical/prompt-members.ts';
import { measureAudioSeconds } from '../../lib/audio-length.ts';
import type { RelayBody } from '../../relay/call.ts';
import type { MemoryBudget } from '../../relay/limit/memory-budget.ts';
import { readJsonBody } from '../body/json-body.ts';
import { readMultipartBody } from '../body/multipart-body.ts';

export interface RelayBodyLimits {
  jsonBytes: number;
  multipartBytes: number;
  spoolDirectory: string;
  /** Time for a body of no bytes; every 64 KiB received add a second. */
  timeMs?: number;
  /** Room for what is made of bodies. */
  memory: MemoryBudget;
  /** False for a protocol that has the arguments of calls as text. */
  hasCallObjects?: boolean;
}

/** Reads the body of a relay call once, whichever kind the protocol takes. */
export function readRelayBody(
  incoming: IncomingMessage,
  kind: 'json' | 'multipart',
  limits: RelayBodyLimits,
): RelayBody | Promise<RelayBody> {
  const { spoolDirectory, timeMs, memory, hasCallObjects } = limits;
  return kind === 'json'
    ? readJsonBody(incoming, { bytes: limits.jsonBytes, spoolDirectory, timeMs, memory, hasCallObjects })
    : readForm(incoming, limits);
}

async function readForm(incoming: IncomingMessage, limits: RelayBodyLimits): Promise<RelayBody> {
  const form = await readMultipartBody(incoming, { ...limits, bytes: limits.multipartBytes });
  const files = new Set(form.files.map(({ name }) => name));
  const audio = form.files.find(({ name }) => name === 'file');
  const sound = audio && (await measureAudioSeconds(audio));
  const text = [...form.fields.values()].flat();
  const share = limits.memory.open();
  return {
    fields: {
      has: (key) => form.fields.has(key) || files.has(key),
      value: (key) => form.fields.get(key)?.at(-1),
      count: (key) => form.fields.get(`${key}[]`)?.length,
    },
    measure: {
      promptBytes: text.reduce((sum, value) => sum + Buffer.byteLength(value), 0),
      mediaParts: files.has('image') || files.has('image[]') ? form.files.length : 0,
      ...(sound && { audioSeconds: sound.seconds, isLengthGuessed: sound.measure === 'size' }),
    },
    size: form.files.reduce((sum, { size }) => sum + size, 0),
    file(field) {
      const found = form.files.find(({ name }) => name === field);
      return found && { length: found.size, open: () => found.open() };
    },
    json: () => undefined,
    readTexts: (reader) => {
      for (const [name, values] of form.fields) {
        for (const value of promptWords.has(name) ? values : []) reader.text(value, name, false);
      }
      return undefined;
    },
    room: share,
    mentions: () => false,
    source: (edits) =>
      form.source(
        edits.map((edit) => ('set' in edit ? { set: edit.set, value: formText(edit.raw) } : { drop: edit.drop })),
      ),
    dispose: () => {
      share.release();
      return form.dispose();
    },
  };
}

/** Edits are made as JSON text; a form contains plain text. */
function formText(raw: string): string {
  const value: unknown = JSON.parse(raw);
  return typeof value === 'string' ? value : raw;
}
