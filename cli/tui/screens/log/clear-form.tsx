import { useRef } from 'react';
import { z } from 'zod';
import { AppError } from '../../../../core/errors/app-error.ts';
import { nowSeconds } from '../../../../core/lib/clock.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { logClearSchema } from '../../../../core/schemas/log.ts';
import { formatTime, parseTime } from '../../../flag/value.ts';
import { Form } from '../../components/form.tsx';
import { useEnvironment } from '../../environment.ts';
import { written } from '../../form-text.ts';
import { useStatus } from '../../hooks/use-status.tsx';

/** Counts what would go, asks for the word, and deletes with a bar in the status line while one looks elsewhere. */
export function ClearForm({ onCleared }: { onCleared(): void }) {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const { logs } = app.services;
  const status = useStatus();
  const counted = useRef({ before: 0, total: 0 });
  const { target_timestamp } = logClearSchema.shape;
  const read = (text: string) => parseTime(text, nowSeconds());

  async function count({ before }: { before: number }): Promise<string> {
    const total = await logs.clear(systemActor, { target_timestamp: before, dry_run: true });
    counted.current = { before, total };
    const details = { count: total, time: formatTime(before) };
    return speak(total === 0 ? 'tui.log.noneOlder' : 'log.wouldClear', details);
  }

  async function clear(): Promise<void> {
    const { before, total } = counted.current;
    const details = { count: total, time: formatTime(before) };
    if (total === 0 || !(await status.askWord(speak('log.askClear', details), 'clear'))) return;
    status.work(speak('tui.log.clearing'), async (report, signal) => {
      let deleted = 0;
      report(0, total);
      try {
        await logs.clear(systemActor, { target_timestamp: before, dry_run: false }, (done) => {
          deleted = done;
          report(done, total);
          if (signal.aborted) throw new AppError('cli.interrupted');
        });
      } catch (error) {
        if (!signal.aborted) throw error;
        return speak('log.clearStopped', { count: deleted });
      } finally {
        onCleared();
      }
      return speak('log.cleared', { ...details, count: deleted });
    });
  }

  return (
    <Form
      title={speak('tui.log.clearTitle')}
      fields={[{ name: 'before', label: speak('tui.log.field.before'), hint: speak('tui.log.hint.before') }]}
      schema={z.object({ before: written(target_timestamp, read, environment) })}
      save={count}
      onSaved={() => void clear()}
    />
  );
}
