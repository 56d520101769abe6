import { Text, useInput } from 'ink';
import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { useLoad } from '../../../../cli/tui/hooks/use-load.ts';

/** The state of a screen, as text: data, error, and whether it takes long. */
function Probe({ load, name, everyMs = 20 }: { load(): Promise<string>; name: string; everyMs?: number }) {
  const { data, error, isSlow, reload } = useLoad(load, { key: name, everyMs });
  useInput((key) => key === 'r' && reload());
  return (
    <Text>
      {[data ?? 'nothing', error instanceof Error ? error.message : 'fine', isSlow ? 'slow' : 'quick'].join(' ')}
    </Text>
  );
}

function Counted({ load, onDraw }: { load(): Promise<{ text: string }>; onDraw(): void }) {
  const { data } = useLoad(load, { key: 'a', everyMs: 1 });
  onDraw();
  return <Text>{data?.text ?? 'nothing'}</Text>;
}

const until = (check: () => string | undefined, wanted: string) => expect.poll(check).toBe(wanted);

describe('what a screen loads', () => {
  it('is said to take long only after a moment, and no more when it is there', async () => {
    let arrive: (text: string) => void = () => undefined;
    const waiting = new Promise<string>((resolve) => {
      arrive = resolve;
    });
    const { lastFrame, unmount } = render(<Probe load={() => waiting} name="a" />);
    expect(lastFrame()).toBe('nothing fine quick');
    await until(lastFrame, 'nothing fine slow');
    arrive('rows');
    await until(lastFrame, 'rows fine quick');
    unmount();
  });

  it('stays while it cannot be read again, beside the error, until it can', async () => {
    let isDown = false;
    const load = async () => {
      if (isDown) throw new Error('down');
      return 'rows';
    };
    const { lastFrame, unmount } = render(<Probe load={load} name="a" />);
    await until(lastFrame, 'rows fine quick');
    isDown = true;
    await until(lastFrame, 'rows down quick');
    isDown = false;
    await until(lastFrame, 'rows fine quick');
    unmount();
  });

  it('is an error too when it is thrown before anything is asked for', async () => {
    const load = (): Promise<string> => {
      throw new Error('wrong filter');
    };
    const { lastFrame, unmount } = render(<Probe load={load} name="a" />);
    await until(lastFrame, 'nothing wrong filter quick');
    unmount();
  });

  it('that was asked for before never takes the place of what was asked for last', async () => {
    const arrivals = new Map<string, (text: string) => void>();
    const load = (name: string) => () => new Promise<string>((resolve) => arrivals.set(name, resolve));
    const { lastFrame, rerender, unmount } = render(<Probe load={load('old')} name="old" />);
    await expect.poll(() => arrivals.has('old')).toBe(true);
    rerender(<Probe load={load('new')} name="new" />);
    await expect.poll(() => arrivals.has('new')).toBe(true);
    arrivals.get('new')?.('new rows');
    await until(lastFrame, 'new rows fine quick');
    arrivals.get('old')?.('old rows');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(lastFrame()).toContain('new rows');
    unmount();
  });

  it('stands still once it is paused, until more is asked for or it goes on', async () => {
    let reads = 0;
    let arrive: () => void = () => undefined;
    const load = async () => {
      reads += 1;
      const text = `read ${reads}`;
      if (reads === 2) await new Promise<void>((resolve) => (arrive = resolve));
      return text;
    };
    const { lastFrame, rerender, stdin, unmount } = render(<Probe load={load} name="a" />);
    await until(lastFrame, 'read 1 fine quick');
    await expect.poll(() => reads).toBe(2);
    rerender(<Probe load={load} name="a" everyMs={0} />);
    // What was on its way is not shown, and nothing more is read.
    arrive();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([lastFrame(), reads]).toEqual(['read 1 fine quick', 2]);
    stdin.write('r');
    await until(lastFrame, 'read 3 fine quick');
    rerender(<Probe load={load} name="b" everyMs={0} />);
    await until(lastFrame, 'read 4 fine quick');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(reads).toBe(4);
    rerender(<Probe load={load} name="b" />);
    await expect.poll(() => reads).toBeGreaterThan(5);
    unmount();
  });

  it('is not drawn again while it stays the same', async () => {
    let [reads, drawings, text] = [0, 0, 'rows'];
    const load = async () => {
      reads += 1;
      return { text };
    };
    const { lastFrame, unmount } = render(<Counted load={load} onDraw={() => (drawings += 1)} />);
    await until(lastFrame, 'rows');
    const [before, from] = [drawings, reads];
    await expect.poll(() => reads).toBeGreaterThan(from + 20);
    // One more for the word that it takes long, where it did.
    expect(drawings).toBeLessThan(before + 3);
    text = 'other rows';
    await until(lastFrame, 'other rows');
    unmount();
  });
});
