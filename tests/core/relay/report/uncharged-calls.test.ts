import { describe, expect, it } from 'vitest';
import { unsettled } from '../../../../core/relay/call.ts';
import { watchUncharged } from '../../../../core/relay/report/uncharged-calls.ts';

function watch() {
  const clock = { ms: 0 };
  const alarms: number[] = [];
  const note = watchUncharged({ alarm: (calls) => alarms.push(calls), now: () => clock.ms });
  const end = (times: number, summary: object) => {
    for (let time = 0; time < times; time += 1) note({ ...unsettled, outcome: 'complete', isPriced: true, ...summary });
  };
  return { clock, alarms, end };
}

describe('M14 the watch over calls that are not charged', () => {
  it('says once in five minutes that twenty in a row were not', () => {
    const { clock, alarms, end } = watch();
    end(19, { quota: 0 });
    expect(alarms).toEqual([]);
    end(30, { quota: 0 });
    expect(alarms).toEqual([20]);
    clock.ms += 5 * 60_000;
    end(20, { quota: 0 });
    expect(alarms).toEqual([20, 20]);
  });

  it('says nothing where one of them was charged, where they are free, and of those that came to nothing', () => {
    const { clock, alarms, end } = watch();
    end(1, { quota: 1 });
    end(40, { quota: 0 });
    clock.ms += 5 * 60_000;
    end(40, { quota: 0, isPriced: false });
    for (const outcome of ['error', 'clientGone', 'broken']) end(20, { quota: 0, outcome });
    expect(alarms).toEqual([]);
  });

  it('does not count those of five minutes before', () => {
    const { clock, alarms, end } = watch();
    end(19, { quota: 0 });
    clock.ms += 5 * 60_000;
    end(19, { quota: 0 });
    expect(alarms).toEqual([]);
  });
});
