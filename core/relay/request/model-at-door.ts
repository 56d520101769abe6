import { endsWithin } from '../../lib/patience.ts';
import type { Routing } from '../../services/routing.ts';
import type { RelayBody, RelayCall } from '../call.ts';

/** To scan a longer body is work that a caller at a limit is not given. */
const maxBytes = 64 * 1024;
/** A short body comes with its headers, or right behind them. One that is kept back must not keep the refusal back, and a place among the calls. */
const patienceMs = 500;

type DoorCall = Pick<RelayCall, 'caller' | 'pathModel' | 'clientHeaders' | 'readBody'>;

interface DoorReading {
  routing: Pick<Routing, 'tiers'>;
  /** Waits for a body as long as its client does. */
  wait(reading: Promise<RelayBody>): Promise<RelayBody>;
  modelOf(body: RelayBody): string | Promise<string>;
}

/**
 * What a call asked for that a limit refused before its body was read, for its row in the log; '' where a long body would have to be
 * read for it. To be called before the response: what is left of a body is thrown away then.
 */
export async function modelAtDoor(call: DoorCall, reading: DoorReading): Promise<string> {
  try {
    return servedName(call.pathModel ?? (await modelInBody(call, reading)), call, reading.routing);
  } catch {
    return ''; // broken, or its client has left: it is refused for the limit, and not for this
  }
}

/** A name that a caller made up stays out of logs and figures. */
export function servedName(
  name: string,
  { caller }: Pick<DoorCall, 'caller'>,
  routing: Pick<Routing, 'tiers'>,
): string {
  return name !== '' && routing.tiers(caller.group, name).length > 0 ? name : '';
}

async function modelInBody({ clientHeaders, readBody }: DoorCall, { wait, modelOf }: DoorReading): Promise<string> {
  const isShort = Number(clientHeaders['content-length']) <= maxBytes;
  // A client that asks first whether it may send its body is told no.
  if (!isShort || clientHeaders.expect !== undefined) return '';
  const reading = readBody();
  const body = reading instanceof Promise ? await wait(inTime(reading)) : reading;
  try {
    return await modelOf(body);
  } finally {
    await body.dispose();
  }
}

/** Throws where it takes longer; a body that comes then is thrown away. */
async function inTime(reading: Promise<RelayBody>): Promise<RelayBody> {
  if (await endsWithin(patienceMs, reading)) return reading;
  reading.then((body) => body.dispose()).catch(() => undefined); // the caller was refused long before
  throw new Error('the body of a refused call is late');
}
