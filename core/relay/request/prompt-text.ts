import { promptSchemas, promptWords, schemaKeys } from '../../canonical/prompt-members.ts';
import type { PromptTextReader } from '../call.ts';

/** What a model reads of a parsed body. Its depth is bounded where it was scanned. */
export function readObjectTexts(body: Record<string, unknown>, reader: PromptTextReader): void {
  for (const member of Object.keys(body)) {
    if (promptWords.has(member)) readValue(body[member], member, false, reader);
    else if (promptSchemas.has(member)) readValue(body[member], member, true, reader);
  }
}

function readValue(value: unknown, key: string, readsKeys: boolean, reader: PromptTextReader): void {
  if (typeof value === 'string') {
    reader.text(value, key, false);
  } else if (Array.isArray(value)) {
    for (const item of value) readValue(item, key, readsKeys, reader);
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      if (readsKeys && !schemaKeys.has(name)) reader.text(name, '', false);
      readValue((value as Record<string, unknown>)[name], name, readsKeys, reader);
    }
  }
}
