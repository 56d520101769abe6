import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ChatStreamReader } from '../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../core/canonical/chat-event.ts';
import { EventCutter, splitEvents } from '../../core/wire/sse.ts';

const fixtures = resolve(import.meta.dirname, '../fixtures');

/** The events of a recorded stream, read as the relay reads them. */
export function readFixtureStream(reader: ChatStreamReader, name: string): ChatEvent[] {
  return readStreamText(reader, readFileSync(resolve(fixtures, name)));
}

export function readStreamText(reader: ChatStreamReader, text: string | Buffer): ChatEvent[] {
  const cutter = new EventCutter();
  const bytes = Buffer.from(text).toString('latin1');
  const block = Buffer.from(cutter.push(bytes) + cutter.rest(), 'latin1').toString('utf8');
  const events = splitEvents(block).flatMap(({ data }) => {
    if (data === undefined || data === '') return [];
    return reader.event(data.trim() === '[DONE]' ? '[DONE]' : (JSON.parse(data) as unknown));
  });
  return [...events, ...reader.end()];
}

export function readFixtureJson(name: string): unknown {
  return JSON.parse(readFileSync(resolve(fixtures, name), 'utf8'));
}

/** What breaks the rules that every reader keeps to (chat-event.ts); empty when nothing does. */
export function brokenRules(events: readonly ChatEvent[]): string[] {
  const broken: string[] = [];
  const open = new Map<number, number>();
  const finished = new Set<number>();
  let nextPart = 0;
  events.forEach((event, index) => {
    if (event.type === 'start' && index !== 0) broken.push('a second or late start');
    if (index === 0 && event.type !== 'start' && event.type !== 'error') broken.push('no start');
    const last = events[index - 1]?.type;
    if (last === 'end' || last === 'error') broken.push(`${event.type} after ${last}`);
    if (event.type === 'open') {
      if (event.part !== nextPart) broken.push(`part ${event.part} instead of ${nextPart}`);
      if (finished.has(event.choice)) broken.push('a part after the finish');
      nextPart += 1;
      open.set(event.part, event.choice);
    }
    if ('part' in event && event.type !== 'open' && !open.has(event.part))
      broken.push(`${event.type} of a closed part`);
    if (event.type === 'close') open.delete(event.part);
    if (event.type === 'finish') {
      if (finished.has(event.choice)) broken.push('a second finish');
      if ([...open.values()].includes(event.choice)) broken.push('a finish before a close');
      finished.add(event.choice);
    }
  });
  return broken;
}
