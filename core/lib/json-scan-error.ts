export type JsonScanFault = 'notJson' | 'duplicateKey' | 'forbiddenKey' | 'tooDeep' | 'tooMany';

/** Why bytes were refused. The caller turns it into words; `details` fill them in. */
export class JsonScanError extends Error {
  readonly fault: JsonScanFault;
  readonly details: Record<string, string | number>;

  constructor(fault: JsonScanFault, details: Record<string, string | number>) {
    super(`${fault} ${JSON.stringify(details)}`);
    this.name = 'JsonScanError';
    this.fault = fault;
    this.details = details;
  }
}
