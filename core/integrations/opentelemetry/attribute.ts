export type AttributeValue = string | number | boolean | readonly string[];

/** What a span or a measurement says of itself; what is undefined is left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

type AnyValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: AnyValue[] } };

export interface KeyValue {
  key: string;
  value: AnyValue;
}

export function keyValues(attributes: Attributes): KeyValue[] {
  const list: KeyValue[] = [];
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) list.push({ key, value: anyValue(value) });
  }
  return list;
}

function anyValue(value: AttributeValue): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value !== 'number') return { arrayValue: { values: value.map(anyValue) } };
  // 64 bit integers are texts in the JSON of protobuf.
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
