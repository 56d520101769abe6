import { AppError } from '../../errors/app-error.ts';
import { JsonScanError } from '../../lib/json-scan-error.ts';
import { coded } from '../../text/coded.ts';
import { type ClientEvent, readClientEvent, writeSettings } from '../../wire/realtime/read-client-event.ts';
import type { SocketMessage } from './message-queue.ts';
import type { SessionMeter } from './session-meter.ts';

/** What the client's message becomes: something for the upstream, or an error that names it. */
export type GateDecision = { pass: SocketMessage } | { refuse: AppError; causedBy?: string | undefined };

interface ClientGateDependencies {
  model: string;
  upstreamModel: string;
  /** The client speaks the beta of the interface. */
  isBeta: boolean;
  meter: Pick<SessionMeter, 'noteHeard' | 'noteTold'>;
  /** Throws AppError for a model that this caller may not use. */
  priceOf(model: string): unknown;
}

/** Reads what a client says before the upstream does: nothing gets through that would be billed as something else. */
export function createClientGate({ model, upstreamModel, isBeta, meter, priceOf }: ClientGateDependencies) {
  /** A session is paid by the model it was opened with, and speech by the model that writes it down: both must stay known. */
  function judgeSettings({ facts, json, eventId }: Extract<ClientEvent, { kind: 'settings' }>): GateDecision {
    const { model: named, transcriptionModels } = facts;
    if (named !== undefined && named !== model && named !== upstreamModel) {
      const refuse = new AppError('realtime.modelFixed', { model, other: named.slice(0, 100) });
      return { refuse, causedBy: eventId };
    }
    try {
      for (const further of transcriptionModels) priceOf(further);
    } catch (error) {
      if (error instanceof AppError) return { refuse: error, causedBy: eventId };
      throw error;
    }
    return { pass: { data: Buffer.from(writeSettings(json, upstreamModel, isBeta)), isBinary: false } };
  }

  return function judge(message: SocketMessage): GateDecision {
    if (message.isBinary) return { refuse: new AppError('realtime.badEvent', { reason: coded('body.notText') }) };
    try {
      const event = readClientEvent(message.data);
      if (event.kind === 'settings') return judgeSettings(event);
      if (event.kind === 'audio') meter.noteHeard(event.base64Length);
      if (event.kind === 'content') {
        meter.noteTold(event.textBytes);
        meter.noteHeard(event.audioBase64Length);
      }
      return { pass: message };
    } catch (error) {
      if (error instanceof JsonScanError)
        return { refuse: new AppError('realtime.badEvent', { reason: reasonOf(error) }) };
      throw error;
    }
  };
}

/** Why a message is not read, in words. */
export function reasonOf({ fault, details }: JsonScanError): string {
  if (fault === 'notJson') return String(details.reason);
  if (fault === 'duplicateKey') return coded('body.twice', { key: String(details.key) });
  if (fault === 'forbiddenKey') return coded('body.disguised', { key: String(details.key).slice(0, 50) });
  return coded('body.tooDeep', { limit: Number(details.limit) });
}
