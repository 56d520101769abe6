import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Limit } from '../../../../core/schemas/limit.ts';
import { isForEach } from '../../../../core/schemas/limit-subject.ts';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';

type Rule = Pick<Limit, 'measure' | 'period' | 'amount'>;
type Named = Pick<Limit, 'subject_kind' | 'subject' | 'subject_name'>;

/** What is said of a limit, in the words of all pages that show one. */
export function useLimitText() {
  const { t } = useTranslation('limit');
  const format = useFormat();
  const amount = useCallback(
    ({ measure }: Pick<Limit, 'measure'>, value: number) =>
      measure === 'budget' ? format.quota(value) : format.number(value),
    [format],
  );
  return useMemo(() => {
    /** `$20.00 per day`, `60 requests per minute` */
    const rule = (limit: Rule) =>
      t(`rule.${limit.measure}`, {
        amount: amount(limit, limit.amount),
        period: limit.period === '' ? '' : t(`period.${limit.period}`),
      });
    const nameOf = ({ subject, subject_name }: Pick<Named, 'subject' | 'subject_name'>) =>
      subject_name || `#${subject}`;
    /** `Token ci`, `Each user` */
    const subject = (limit: Named) =>
      isForEach(limit) ? t(`each.${limit.subject_kind}`) : t(`named.${limit.subject_kind}`, { name: nameOf(limit) });
    return {
      amount,
      rule,
      subject,
      nameOf,
      whole: (limit: Rule & Named) => t('whole', { subject: subject(limit), rule: rule(limit) }),
    };
  }, [t, amount]);
}

/** Where the subject is looked at; users have no page for a group. */
export function limitSubjectPath({ subject_kind: kind, subject }: Named): string | undefined {
  if (subject === '' || kind === 'group') return undefined;
  if (kind === 'model') return objectPath.model(subject);
  return kind === 'token' ? objectPath.token(Number(subject)) : objectPath.user(Number(subject));
}
