import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { isJsonObject, type JsonObject, recordsOf, textOf } from '../../lib/json-value.ts';
import { textIn } from '../../text/text.ts';
import { createOpenAiChatReader } from '../../wire/openai-chat/read-stream.ts';
import { isFailure } from './error-rule.ts';

/** Reads the events of a response and, at its end, the documents it was found in, as links and as citations. */
export function createLibraryReader(context: ReadContext): ChatStreamReader {
  const reader = createOpenAiChatReader(context);
  let documents: JsonObject[] = [];
  let isFinished = false;

  function say(content: string, more: JsonObject = {}): ChatEvent[] {
    return reader.event({ choices: [{ index: 0, delta: { content, ...more } }] });
  }

  function read(event: JsonObject): ChatEvent[] {
    if (isFailure(event)) return reader.event({ error: { code: event.errCode, message: event.message } });
    const found = recordsOf(event.documents);
    // Each list is the whole one.
    if (found.length > 0) documents = found;
    if (event.finish === true) isFinished = true;
    return say(textOf(event.content));
  }

  function finish(): ChatEvent[] {
    const links = documents.length > 0 ? say(linksOf(documents), { annotations: documents.map(citationOf) }) : [];
    return [...links, ...reader.event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })];
  }

  return {
    event: (data) => (isJsonObject(data) ? read(data) : []),
    // The documents may come behind the event that ends the text.
    end: () => [...(isFinished ? finish() : []), ...reader.end()],
  };
}

/** A whole response, in the form of the events of a stream. */
export function readLibraryResponse({ answer: response, documents }: JsonObject, context: ReadContext): ChatEvent[] {
  const reader = createLibraryReader(context);
  return [...reader.event({ content: response, finish: true, documents }), ...reader.end()];
}

function linksOf(documents: JsonObject[]): string {
  const lines = documents.map(
    ({ title, url }, index) => `${index + 1}. [${textOf(title) || textOf(url)}](${textOf(url)})`,
  );
  const title = (['zh', 'en'] as const).map((language) => textIn(language, 'notice', 'page.references')).join(' / ');
  return `\n\n${title}:\n\n${lines.join('\n')}`;
}

function citationOf({ title, url }: JsonObject): JsonObject {
  return { type: 'url_citation', url_citation: { url, title } };
}
