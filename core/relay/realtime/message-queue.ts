import type { Peer } from './peer.ts';

export interface SocketMessage {
  data: Buffer;
  isBinary: boolean;
}

/** The end of one side, behind everything it said before. */
export interface Closing {
  code: number;
  reason: string;
}

interface MessageQueueDependencies<Item> {
  source: Pick<Peer, 'pause' | 'resume'>;
  /** A promise only where something has to be waited for. */
  handle(item: Item): Promise<void> | undefined;
  failed(error: unknown): void;
}

/** Takes what one side says in order: while one message is in work, nothing more is read, and what was read already waits. */
export class MessageQueue<Item> {
  readonly #dependencies: MessageQueueDependencies<Item>;
  readonly #waiting: Item[] = [];
  #work: Promise<void> | undefined;
  #isOver = false;

  constructor(dependencies: MessageQueueDependencies<Item>) {
    this.#dependencies = dependencies;
  }

  push(item: Item): void {
    if (this.#isOver) return;
    if (this.#work) {
      this.#waiting.push(item);
      return;
    }
    const work = this.#handle(item);
    if (!work) return;
    this.#dependencies.source.pause('inWork');
    this.#work = this.#workOff(work);
  }

  /** Nothing more is handled; resolves when what is in work is done. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#waiting.length = 0;
    await this.#work;
  }

  async #workOff(first: Promise<void>): Promise<void> {
    try {
      await first;
      for (let item = this.#waiting.shift(); item; item = this.#waiting.shift()) await this.#handle(item);
    } catch (error) {
      this.#dependencies.failed(error);
    }
    this.#work = undefined;
    this.#dependencies.source.resume('inWork');
  }

  #handle(item: Item): Promise<void> | undefined {
    try {
      return this.#dependencies.handle(item);
    } catch (error) {
      this.#dependencies.failed(error);
      return undefined;
    }
  }
}
