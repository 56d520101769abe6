import type { RequestFields } from '../../canonical/request.ts';
import { isJsonObject, recordOf } from '../../lib/json-value.ts';

/** OpenAI's SDK for Node requests base64 by default, and silently turns a list of numbers into an empty vector. */
export function wantsPacked(fields: RequestFields): boolean {
  return fields.value('encoding_format') === 'base64';
}

const beginsList = /"embedding"\s*:\s*\[/;

/** Whether the beginning of a response shows that its vectors are lists of numbers. */
export function beginsUnpacked(start: Buffer): boolean {
  return beginsList.test(start.toString('latin1'));
}

/** Compatible servers often ignore `encoding_format`: encodes their lists of numbers as base64. Undefined if the response has none. */
export function withPackedVectors(response: unknown): Record<string, unknown> | undefined {
  const { data } = recordOf(response);
  if (!Array.isArray(data) || !data.some((item) => isVector(recordOf(item).embedding))) return undefined;
  const packedItem = (item: unknown) =>
    isJsonObject(item) && isVector(item.embedding) ? { ...item, embedding: packed(item.embedding) } : item;
  return { ...recordOf(response), data: data.map(packedItem) };
}

export function isVector(values: unknown): values is number[] {
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'number');
}

/** As OpenAI packs them: floats of four bytes, the lowest first. */
export function packed(vector: number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4);
  });
  return bytes.toString('base64');
}
