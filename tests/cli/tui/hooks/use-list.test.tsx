import { Text, useInput } from 'ink';
import { render } from 'ink-testing-library';
import { expect, it } from 'vitest';
import { useList } from '../../../../cli/tui/hooks/use-list.ts';

/** Number and row under the cursor; what `d` is pressed on is kept in `chosen`. */
function Probe({ rows, chosen }: { rows: number[]; chosen: number[] }) {
  const list = useList({
    load: async () => ({ items: [...rows], total: rows.length, page: 1, page_size: 20 }),
    idOf: (row: number) => row,
    key: '',
    pageSize: 20,
    everyMs: undefined,
    isFollowing: false,
  });
  useInput((key) => {
    if (key === 'r') list.reload();
    else if (key === 'j') list.move(1);
    else if (list.row !== undefined) chosen.push(list.row);
  });
  return <Text>{`${list.total} ${list.row}`}</Text>;
}

it('a key pressed in the moment a new row comes still acts on the row under the cursor', async () => {
  for (let round = 0; round < 20; round++) {
    const rows = [2, 1];
    const chosen: number[] = [];
    const { lastFrame, stdin, unmount } = render(<Probe rows={rows} chosen={chosen} />);
    await expect.poll(lastFrame).toBe('2 2');
    rows.unshift(3);
    stdin.write('r');
    while (!lastFrame()?.startsWith('3')) await new Promise((resolve) => setImmediate(resolve));
    stdin.write('d');
    await expect.poll(() => chosen).toEqual([2]);
    expect(lastFrame()).toBe('3 2');
    unmount();
  }
});

it('when the rows of the cursor and above it go, the cursor is on the row that followed', async () => {
  const rows = [6, 5, 4, 3, 2, 1];
  const { lastFrame, stdin, unmount } = render(<Probe rows={rows} chosen={[]} />);
  await expect.poll(lastFrame).toBe('6 6');
  stdin.write('j');
  stdin.write('j');
  await expect.poll(lastFrame).toBe('6 4');
  rows.splice(0, 3);
  stdin.write('r');
  await expect.poll(lastFrame).toBe('3 3');
  unmount();
});
