import { AppError } from '../../../../core/errors/app-error.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { type Channel, channelListSchema } from '../../../../core/schemas/channel.ts';
import { channelStatus } from '../../../../core/schemas/channel-status.ts';
import { openProbe } from '../../../probe-access.ts';
import type { ListControl } from '../../components/list-screen.tsx';
import { useEnvironment } from '../../environment.ts';
import { askForRows, useShortNames } from '../../hooks/use-row-actions.ts';
import { useStatus } from '../../hooks/use-status.tsx';
import type { Report } from '../../hooks/use-work.ts';

const pageSize = 100;

/** What is done with channels in the list. */
export function useChannelActions() {
  const { app, speak } = useEnvironment();
  const { channels, channelBalances } = app.services;
  const status = useStatus();
  const shorten = useShortNames();

  function test(rows: Channel[], list: ListControl): void {
    const [only] = rows;
    if (rows.length === 1 && only) {
      status.work(speak('tui.channel.testing'), async () => {
        const result = await testOne(only).finally(list.reload);
        const details = { id: only.id, name: only.name, model: result.model, seconds: (result.ms / 1000).toFixed(2) };
        if (!result.ok) throw new AppError('channel.testFailed', { ...details, reason: result.reason });
        return speak('channel.tested', details);
      });
    } else status.work(speak('tui.channel.testing'), (report, signal) => testMany(rows, { list, report, signal }));
  }

  function testAll(list: ListControl): void {
    status.work(speak('tui.channel.testing'), async (report, signal) =>
      testMany(await everyChannel(), { list, report, signal }),
    );
  }

  const testOne = ({ id }: Channel) => openProbe(app).test(id);

  async function testMany(
    rows: Channel[],
    { list, report, signal }: { list: ListControl; report: Report; signal: AbortSignal },
  ): Promise<string> {
    const failed: string[] = [];
    let done = 0;
    report(0, rows.length);
    for (const row of rows) {
      if (signal.aborted) return speak('tui.stopped', { done, total: rows.length });
      const isGood = await testOne(row).then(
        ({ ok }) => ok,
        // One that was removed meanwhile, or has no key that opens: the others are tested anyway.
        () => false,
      );
      if (!isGood) failed.push(row.name);
      done += 1;
      report(done, rows.length);
      list.reload();
    }
    list.clearMarks();
    if (failed.length === 0) return speak('tui.channel.testGood', { tested: done });
    return speak('tui.channel.testSummary', { tested: done, failed: failed.length, names: shorten(failed) });
  }

  async function everyChannel(): Promise<Channel[]> {
    const found: Channel[] = [];
    for (let page = 1; ; page++) {
      const query = channelListSchema.parse({ page, page_size: pageSize, id_sort: true });
      const { items, total } = await channels.list(systemActor, query);
      found.push(...items);
      if (items.length === 0 || found.length >= total) return found;
    }
  }

  /** Several follow the first: what half of them is turned into is what all of them become. */
  function toggle(rows: Channel[], list: ListControl): void {
    const isOn = rows[0]?.status !== channelStatus.enabled;
    const changed = rows.filter(({ status: now }) => (now === channelStatus.enabled) !== isOn);
    void status.act(async () => {
      await setStatus(changed, isOn);
      list.reload();
      list.clearMarks();
      status.offerUndo(switched(changed, isOn), async () => {
        await setStatus(changed, !isOn);
        list.reload();
        return switched(changed, !isOn);
      });
      return undefined;
    });
  }

  const namesOf = (rows: Channel[]) => shorten(rows.map(({ id, name }) => `${id} (${name})`));
  const setStatus = (rows: Channel[], isOn: boolean) =>
    channels.setStatus(systemActor, idsOf(rows), isOn ? channelStatus.enabled : channelStatus.disabled);
  const switched = (rows: Channel[], isOn: boolean) =>
    speak(isOn ? 'channel.enabled' : 'channel.disabled', { names: namesOf(rows) });

  async function remove(rows: Channel[], list: ListControl): Promise<void> {
    const details = { count: rows.length, names: namesOf(rows) };
    if (!(await askForRows(status, speak('channel.askRemove', details), details))) return;
    await status.act(async () => {
      await channels.remove(systemActor, idsOf(rows), { passOver: true });
      list.clearMarks();
      list.reload();
      return speak('channel.removed', details);
    });
  }

  function readBalance([channel]: Channel[], list: ListControl): void {
    if (!channel) return;
    const { id, name } = channel;
    status.work(speak('tui.channel.balance'), async () => {
      const left = await channelBalances.updateBalance(systemActor, id);
      list.reload();
      return speak('channel.balance', { id, name, balance: left.toFixed(2) });
    });
  }

  function copy([channel]: Channel[], list: ListControl): void {
    if (!channel) return;
    void status.act(async () => {
      const { id, name } = await channels.copy(systemActor, channel.id);
      list.reload();
      return speak('channel.created', { id, name });
    });
  }

  return {
    test,
    testAll,
    toggle,
    remove: (rows: Channel[], list: ListControl) => void remove(rows, list),
    readBalance,
    copy,
  };
}

const idsOf = (rows: Channel[]) => rows.map(({ id }) => id);
