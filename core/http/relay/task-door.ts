import type { IncomingMessage } from 'node:http';
import type { ClientWriter } from '../../relay/deliver/client-writer.ts';
import { jsonHeaders } from '../../relay/deliver/respond.ts';
import type { FreeCall, FreeCalls } from '../../relay/free-call/free-call.ts';
import type { TaskCalls } from '../../relay/task/task-call.ts';
import type { CallerService } from '../../services/caller.ts';
import type { TaskKind } from '../../wire/task-kind.ts';
import type { RawExchange } from '../route.ts';
import { callCredentialOf } from './credential.ts';
import { type RelayBodyLimits, readRelayBody } from './relay-body.ts';
import { openRelayCall, sendRelayError } from './relay-call.ts';

export interface TaskDoorDependencies {
  taskCalls: TaskCalls;
  freeCalls: FreeCalls;
  callers: CallerService;
  bodyLimits: RelayBodyLimits;
  addressOf(incoming: IncomingMessage): string;
}

/** A new job: what is before this kind's own path, and the action in it. */
export interface NewJob {
  kind: TaskKind;
  action: string;
  prefix?: string;
}

/** What the routes of every kind of paid job do alike. */
export function createTaskDoor({ taskCalls, freeCalls, callers, bodyLimits, addressOf }: TaskDoorDependencies) {
  async function submit(exchange: RawExchange, job: NewJob): Promise<void> {
    const { incoming } = exchange;
    const entry = openRelayCall(exchange);
    try {
      const caller = await callers.authenticate(callCredentialOf(incoming), addressOf(incoming));
      const isForm = job.kind.formFields && /^multipart\//i.test(incoming.headers['content-type'] ?? '');
      const readBody = () => readRelayBody(incoming, isForm ? 'multipart' : 'json', bodyLimits);
      // It never rejects, so it is not awaited here.
      void taskCalls.serve({ ...entry, ...job, caller, readBody });
    } catch (error) {
      sendRelayError(entry, incoming, error);
    }
  }

  /** A call that costs nothing. What `work` resolves with is the response; undefined = it has sent the response itself. */
  async function serve(
    exchange: RawExchange,
    work: (call: FreeCall, client: ClientWriter) => Promise<unknown>,
  ): Promise<void> {
    const { incoming } = exchange;
    const entry = openRelayCall(exchange);
    try {
      const caller = await callers.authenticate(callCredentialOf(incoming), addressOf(incoming));
      const call = { ...entry, caller };
      await freeCalls.serve(call, 'task', async (client) => {
        const response = await work(call, client);
        if (response === undefined) return;
        const bytes = Buffer.from(JSON.stringify(response));
        client.respond(200, jsonHeaders(entry.id, bytes.length), bytes);
      });
    } catch (error) {
      sendRelayError(entry, incoming, error);
    }
  }

  async function readJson(incoming: IncomingMessage): Promise<Record<string, unknown>> {
    const body = await readRelayBody(incoming, 'json', bodyLimits);
    try {
      return (await body.json()) ?? {};
    } finally {
      await body.dispose();
    }
  }

  return { submit, serve, readJson };
}
