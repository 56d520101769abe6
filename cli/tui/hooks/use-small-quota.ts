import { useRef } from 'react';
import { AppError } from '../../../core/errors/app-error.ts';
import { smallQuotaQuestion } from '../../print/quota-change.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { useEnvironment } from '../environment.ts';
import { useStatus } from './use-status.tsx';

/** Of a form with an amount: asks before `5` is saved where `$5` was probably meant. */
export function useSmallQuota() {
  const { app, speak } = useEnvironment();
  const { ask } = useStatus();
  const written = useRef('');
  return {
    /** As it stands in the form; a sign before it does not count. */
    note(text = ''): void {
      written.current = text.replace(/^\s*[+-]/, '');
    },
    /** Throws `cli.declined`. */
    async confirm(): Promise<void> {
      const question = smallQuotaQuestion(speak, written.current, quotaFormat(app.services.options));
      if (question !== undefined && !(await ask(question))) throw new AppError('cli.declined');
    },
  };
}
