/**
 * One kind of upstream, as operators choose it by its number. All that forms, commands, documents and checks know of a type stands
 * here; how it is spoken to is its adapter's business, and its usual models are in `providers/channel-models.json`.
 */
export interface ChannelType {
  number: number;
  /** For commands and logs: `azure`. */
  name: string;
  /** Shown to people. */
  label: string;
  /** For vendors that have another name in Chinese: the name in the language of the reader, as a code. */
  ownLabel?: string;
  /** '' when the operator must give one, or the region decides. */
  defaultBaseUrl: string;
  /** The vendor has no address of its own: the operator's is needed. */
  needsBaseUrl?: boolean;
  /** The vendor has switched it off for good. */
  isRetired?: boolean;
  /** Its few models are always the same. */
  hasFixedModels?: boolean;
  /** Reads the channel's organization. */
  hasOrganization?: boolean;
  /** What to know before the fields are filled in. This and the hints are codes. */
  about?: string;
  baseUrl?: { label?: string; hint?: string };
  /** How a key of several parts is written; keys of other types are one opaque text. */
  keyFormat?: string;
  keyHint?: string;
  /** In place of the format, in an empty field. */
  keyExample?: string;
  /** A key is a document of many lines: it is never split into several keys. */
  isKeyDocument?: boolean;
  /** For the types that read the channel's `other` field. */
  other?: OtherField;
}

export interface OtherField {
  label: string;
  hint?: string;
  example?: string;
  /** Saved when the operator leaves it empty. */
  default?: string;
  isNeeded?: boolean;
  /** A region, or a JSON map of model to region. */
  isRegion?: boolean;
}
