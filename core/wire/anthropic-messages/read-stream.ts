import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import { EventQueue } from '../../canonical/event-queue.ts';
import { countOf, isJsonObject, type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import { statusOfType } from './error.ts';
import { mapStopReason } from './finish-reason.ts';
import { type BlockReader, openBlock } from './read-response-block.ts';
import { UsageCollector } from './usage.ts';

/** Reads the events of a Messages stream (conversion matrix, 6.5). Unknown events, blocks and deltas are skipped. */
export function createAnthropicReader(context: ReadContext): ChatStreamReader {
  const events = new EventQueue();
  const usage = new UsageCollector();
  const blocks = new Map<unknown, BlockReader>();
  // The start has a placeholder for what is going to be written.
  let isInterim = true;

  function start(message: JsonObject): void {
    const { id, model, created } = context.identity;
    events.start({ id: textOf(message.id) || id, model: textOf(message.model) || model, created });
    report(message.usage);
  }

  function report(given: unknown): void {
    if (!isJsonObject(given)) return;
    usage.add(given);
    const total = usage.total();
    if (total) events.usage(total, isInterim);
  }

  /** Some resellers leave out the start of a text. */
  function blockOf(index: unknown, { type }: JsonObject): BlockReader | undefined {
    const implied = type === 'text_delta' ? 'text' : type === 'thinking_delta' ? 'thinking' : undefined;
    if (!blocks.has(index) && implied && !events.hasFinished(0)) {
      start({});
      blocks.set(index, openBlock({ type: implied }, events, context));
    }
    return blocks.get(index);
  }

  function stopBlock(index: unknown): void {
    blocks.get(index)?.stop();
    blocks.delete(index);
  }

  function finish(delta: JsonObject): void {
    const reason = textOf(delta.stop_reason);
    if (reason === '') return;
    const mapped = mapStopReason(reason);
    const detail = textOf(recordOf(delta.stop_details).explanation);
    const stopSequence = textOf(delta.stop_sequence);
    end({
      // The tool was only there to carry the response.
      reason: context.responseTool !== undefined && mapped === 'tool' ? 'stop' : mapped,
      ...(stopSequence !== '' && { stopSequence }),
      ...(detail !== '' && { detail }),
    });
  }

  function end(fields: { reason: ReturnType<typeof mapStopReason>; stopSequence?: string; detail?: string }): void {
    for (const index of [...blocks.keys()]) stopBlock(index);
    events.finish({ choice: 0, ...fields });
  }

  function conclude(): void {
    start({});
    end({ reason: 'stop' });
    events.end();
  }

  function read(event: JsonObject, type: string): void {
    switch (type) {
      case 'message_start':
        if (events.hasContent) events.failRestarted();
        else start(recordOf(event.message));
        break;
      case 'content_block_start':
        if (events.hasFinished(0)) break;
        start({});
        stopBlock(event.index);
        blocks.set(event.index, openBlock(recordOf(event.content_block), events, context));
        break;
      case 'content_block_delta':
        blockOf(event.index, recordOf(event.delta))?.delta(recordOf(event.delta));
        break;
      case 'content_block_stop':
        stopBlock(event.index);
        break;
      case 'message_delta':
        start({});
        if (countOf(recordOf(event.usage).output_tokens)) isInterim = false;
        report(event.usage);
        finish(recordOf(event.delta));
        break;
      case 'message_stop':
        conclude();
        break;
      case 'ping':
        events.add({ type: 'ping' });
        break;
      case 'error':
        events.fail(statusOfType(textOf(recordOf(event.error).type)), event);
        break;
      default:
        // Some resellers write it as OpenAI does.
        if (type === '' && isJsonObject(event.error)) events.fail(statusOfType(textOf(event.error.type)), event);
        break;
    }
  }

  return {
    holdsBack: () => [...blocks.values()].some((block) => block.holdsBack?.()),
    event(data, name) {
      if (isJsonObject(data) && !events.hasEnded) read(data, textOf(data.type) || (name ?? ''));
      return events.take();
    },
    end() {
      if (events.hasEnded) return [];
      if (events.isWhole) conclude();
      else events.failTruncated();
      return events.take();
    },
  };
}
