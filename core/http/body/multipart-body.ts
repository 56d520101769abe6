import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { coded } from '../../text/coded.ts';
import { abandonBody, BodyError, refuseBody } from './body-error.ts';
import { BoundaryPadding, boundaryOf } from './boundary-padding.ts';
import { type FormFile, FormFileContent } from './form-file.ts';
import { type FormEdit, type FormSource, writeForm } from './form-source.ts';
import { isBilledAside, keyRuleFor } from './key-rule.ts';
import { type BodyLimits, hasBody, receiveBody } from './receive-body.ts';

export interface MultipartBody {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly files: readonly FormFile[];
  /** The form rewritten: model first, the other fields, then the files. */
  source(edits: FormEdit[]): FormSource;
  /** Frees the temporary files. May be called again. */
  dispose(): Promise<void>;
}

const multipartLimits = { fields: 20, files: 16, fieldBytes: 256 * 1024 } as const;

const fileFields = new Set(['file', 'image', 'image[]', 'mask', 'input_reference']);
const repeatableFiles = new Set(['image', 'image[]']);
const partHeaderBytes = 16 * 1024;

/** Reads an uploaded form; files never are in memory whole. */
export async function readMultipartBody(request: IncomingMessage, limits: BodyLimits): Promise<MultipartBody> {
  const intake = new FormIntake(limits.spoolDirectory);
  try {
    const parser = createParser(request);
    const broken = new AbortController();
    const parsed = intake.follow(parser);
    parsed.catch((error) => broken.abort(error));
    const boundary = boundaryOf(request.headers['content-type'] ?? '');
    // Without one that we can read, a form is taken as it comes.
    const padding = boundary === undefined ? undefined : new BoundaryPadding(boundary);
    const sink = (chunk: Buffer) => write(parser, padding?.push(chunk) ?? chunk);
    await receiveBody({ request, limits, sink, signal: broken.signal });
    parser.end(padding?.end());
    await parsed;
    await intake.finish();
    return new ReceivedForm(intake.fields, intake.files);
  } catch (error) {
    await intake.dispose();
    throw abandonBody(request, error);
  }
}

function createParser(request: IncomingMessage): BusboyInstance {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data *(;|$)/i.test(contentType)) {
    if (!hasBody(request)) refuseBody('body.empty');
    refuseBody('body.contentType', { expected: 'multipart/form-data' });
  }
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fields: multipartLimits.fields,
        files: multipartLimits.files,
        parts: multipartLimits.fields + multipartLimits.files,
        fieldSize: multipartLimits.fieldBytes,
        headerSize: partHeaderBytes,
        headerPairs: 20,
      },
    });
  } catch (cause) {
    return refuseBody('body.multipart', { reason: coded('multipart.boundary') }, { cause });
  }
}

/** The promise is fulfilled when the parser wants more; while a file waits for the disk it does not. */
function write(parser: BusboyInstance, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    parser.write(chunk, () => resolve());
  });
}

class FormIntake {
  readonly fields = new Map<string, string[]>();
  readonly files: FormFileContent[] = [];
  readonly #directory: string;
  readonly #streams: Readable[] = [];
  readonly #receipts: Promise<void>[] = [];

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Settles when the parser has read the closing boundary, or as soon as something is wrong. */
  follow(parser: BusboyInstance): Promise<void> {
    return new Promise((resolve, reject) => {
      const guard = (take: () => void) => {
        try {
          take();
        } catch (error) {
          reject(error);
        }
      };
      const tooMany = (what: string, limit: number) => () =>
        guard(() => refuseBody('body.multipart', { reason: coded('multipart.tooMany', { limit, what }) }));
      parser
        .on('field', (name, value, _nameCut, isCut) => guard(() => this.#takeField(name, value, isCut)))
        .on('file', (name, stream, filename, _encoding, contentType) => {
          this.#streams.push(stream);
          // A broken form is reported on the open file too; there is no listener when the file was refused.
          stream.on('error', () => undefined);
          guard(() => this.#takeFile({ name, filename: filename ?? '', contentType }, stream).catch(reject));
        })
        .on('partsLimit', tooMany(coded('noun.parts'), multipartLimits.fields + multipartLimits.files))
        .on('fieldsLimit', tooMany(coded('noun.fields'), multipartLimits.fields))
        .on('filesLimit', tooMany(coded('noun.files'), multipartLimits.files))
        .on('error', (cause) => guard(() => refuseBroken(cause)))
        .on('finish', resolve);
    });
  }

  async finish(): Promise<void> {
    await Promise.all(this.#receipts);
    if (this.fields.size === 0 && this.files.length === 0) {
      refuseBody('body.multipart', { reason: coded('multipart.noFields') });
    }
  }

  async dispose(): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
    // The error is being sent already; here we only wait until no file can be opened any more.
    await Promise.allSettled(this.#receipts);
    await Promise.all(this.files.map((file) => file.dispose()));
  }

  #takeField(name: string, value: string, isCut: boolean): void {
    checkName(name);
    if (fileFields.has(name)) {
      refuseBody('body.multipart', { reason: coded('multipart.file', { name }) });
    }
    if (isCut) refuseBody('body.valueTooLarge', { key: name, limit: multipartLimits.fieldBytes }, { param: name });
    const values = this.fields.get(name);
    if (!values) this.fields.set(name, [value]);
    else if (name.endsWith('[]')) values.push(value);
    else refuseBody('body.duplicateKey', { key: name });
  }

  #takeFile(part: { name: string; filename: string; contentType: string }, stream: Readable): Promise<void> {
    checkName(part.name);
    if (!fileFields.has(part.name))
      refuseBody('body.multipart', { reason: coded('multipart.noFile', { name: part.name }) });
    if (!repeatableFiles.has(part.name) && this.files.some((file) => file.name === part.name)) {
      refuseBody('body.duplicateKey', { key: part.name });
    }
    const file = new FormFileContent(part, this.#directory);
    this.files.push(file);
    const receipt = file.receive(stream).catch(refuseBroken);
    this.#receipts.push(receipt);
    return receipt;
  }
}

function checkName(name: string | undefined): void {
  const isPlain = name !== undefined && /^[\w.-]{1,100}(\[[\w.-]{0,100}\])?$/.test(name);
  if (!isPlain || keyRuleFor(name).isForbidden) refuseBody('body.multipart', { reason: coded('multipart.name') });
  if (isBilledAside(name)) {
    const field = name.slice(0, name.indexOf('['));
    refuseBody('body.multipart', { reason: coded('multipart.brackets', { name, field }) });
  }
}

function refuseBroken(cause: unknown): never {
  if (cause instanceof BodyError) throw cause;
  return refuseBody('body.multipart', { reason: coded('multipart.broken') }, { cause });
}

class ReceivedForm implements MultipartBody {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly files: readonly FormFileContent[];

  constructor(fields: ReadonlyMap<string, readonly string[]>, files: readonly FormFileContent[]) {
    this.fields = fields;
    this.files = files;
  }

  source(edits: FormEdit[]): FormSource {
    return writeForm(this.fields, this.files, edits);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.files.map((file) => file.dispose()));
  }
}
