import { Badge, Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { Braces20Regular } from '@fluentui/react-icons/svg/braces';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { Person20Regular } from '@fluentui/react-icons/svg/person';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { firstTokenText } from '../../../../core/schemas/first-token.ts';
import type { Log } from '../../../../core/schemas/log.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import { wordsIn } from '../../../../core/text/detail.ts';
import { useCopy } from '../../components/feedback/copy.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { currentLanguage } from '../../i18n/language.ts';
import { useFormat } from '../../state/format.ts';
import { objectPath, requestPath } from '../../state/object-path.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { LogBill } from './log-bill.tsx';
import { type LogRecord, readRecord } from './log-record.ts';

const LogUserDialog = lazy(() => import('./log-user-dialog.tsx').then((file) => ({ default: file.LogUserDialog })));

const useStyles = makeStyles({
  receipt: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(300px, 100%), 1fr))',
    gap: tokens.spacingHorizontalXXL,
    padding: tokens.spacingHorizontalL,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground2,
  },
  part: { minWidth: 0, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  facts: { display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '4px 16px', margin: 0, alignItems: 'baseline' },
  term: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  fact: { margin: 0, minWidth: 0, overflowWrap: 'anywhere' },
  mono: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200 },
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, marginTop: tokens.spacingVerticalXS },
  attempts: { display: 'flex', flexDirection: 'column', gap: '6px', margin: 0, padding: 0, listStyleType: 'none' },
  attempt: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    overflowWrap: 'anywhere',
  },
});

/** What a row means, whole: the bill, the way the call went, and all of it to copy. */
export function LogReceipt({ log }: { log: Log }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const copy = useCopy();
  const admin = isAdmin(sessionUser.use());
  const [isUserShown, setUserShown] = useState(false);
  const record = readRecord(log);
  return (
    <section className={styles.receipt} aria-label={t('receipt.label', { id: log.id })}>
      {log.type === logType.consume && <LogBill log={log} />}
      <div className={styles.part}>
        <Text weight="semibold">{t('receipt.call')}</Text>
        <Facts log={log} record={record} isAdmin={admin} />
        <div className={styles.buttons}>
          {log.request_id && (
            <Button size="small" icon={<Copy20Regular />} onClick={() => void copy(log.request_id ?? '')}>
              {t('receipt.copyRequest')}
            </Button>
          )}
          <Button size="small" icon={<Braces20Regular />} onClick={() => void copy(jsonOf(log, record))}>
            {t('receipt.copyJson')}
          </Button>
          {admin && log.user_id > 0 && (
            <Button size="small" icon={<Person20Regular />} onClick={() => setUserShown(true)}>
              {t('receipt.user')}
            </Button>
          )}
        </div>
      </div>
      <Attempts record={record} />
      {isUserShown && (
        <Suspense fallback={null}>
          <LogUserDialog userId={log.user_id} onClose={() => setUserShown(false)} />
        </Suspense>
      )}
    </section>
  );
}

function Facts({ log, record, isAdmin: admin }: { log: Log; record: LogRecord; isAdmin: boolean }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const format = useFormat();
  const { upstream_model_name: upstreamModel, protocol, upstream_protocol: upstreamProtocol } = record;
  const { duration_ms: duration, conversion = [], flags = [], outcome = 'complete', frt = -1 } = record;
  const { refunded_request_id: refunded } = record;
  const isCall = log.type === logType.consume || log.type === logType.error;
  const facts: [key: string, value: ReactNode][] = [
    ['requestId', log.request_id && <span className={styles.mono}>{log.request_id}</span>],
    ['time', format.time(log.created_at)],
    ['model', log.model_name && <ModelFact log={log} upstreamModel={upstreamModel} />],
    ['user', admin && log.username && <NamedFact id={log.user_id} name={log.username} pathOf={objectPath.user} />],
    ['token', log.token_name && <NamedFact id={log.token_id} name={log.token_name} pathOf={objectPath.token} />],
    [
      'channel',
      admin && log.channel > 0 && (
        <NamedFact id={log.channel} name={channelText(log.channel, log.channel_name)} pathOf={objectPath.channel} />
      ),
    ],
    ['group', admin && log.group ? <GroupFact key="group" name={log.group} /> : log.group],
    ['protocol', upstreamProtocol ? `${protocol} → ${upstreamProtocol}` : protocol],
    ['status', record.status !== undefined && [record.status, record.code].filter(Boolean).join(' · ')],
    ['duration', isCall && duration !== undefined && t('milliseconds', { value: format.number(duration) })],
    ['first', isCall && frt >= 0 && t('milliseconds', { value: format.number(frt) })],
    [
      'outcome',
      log.type === logType.consume && outcome !== 'complete' && t([`outcome.${outcome}`, 'outcome.other'], { outcome }),
    ],
    ['source', record.usage_source && t([`source.${record.usage_source}`, 'source.other'])],
    ['losses', conversion.map(({ field, kind }) => t(`loss.${kind}`, { field })).join(t('comma'))],
    ['flags', flags.join(t('comma'))],
    ['task', record.task_id && <TextLink to={jobPath(log, record.task_id)}>{record.task_id}</TextLink>],
    ['refundOf', refunded && <TextLink to={requestPath(refunded)}>{refunded}</TextLink>],
    ['content', log.type !== logType.consume && log.content],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([key, value]) =>
          value && (
            <div key={key} style={{ display: 'contents' }}>
              <dt className={styles.term}>{t(`fact.${key}`)}</dt>
              <dd className={styles.fact}>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface NamedFactProps {
  /** 0 for what is no object of its own, such as the playground. */
  id: number;
  name: string;
  pathOf: (id: number) => string;
}

function NamedFact({ id, name, pathOf }: NamedFactProps) {
  return id > 0 ? <TextLink to={pathOf(id)}>{name}</TextLink> : name;
}

/** Without a name when the channel is gone. */
const channelText = (id: number, name = '') => `#${id} ${name}`.trim();

/** What failed may be no model at all: only those that were served have a page for sure. */
function ModelFact({ log, upstreamModel }: { log: Log; upstreamModel: string | undefined }) {
  const { model_name: name, type } = log;
  return (
    <>
      {type === logType.consume ? <TextLink to={objectPath.model(name)}>{name}</TextLink> : name}
      {upstreamModel && ` → ${upstreamModel}`}
    </>
  );
}

/** Where a job stands among those of its kind, however old it is. */
function jobPath({ model_name: model }: Log, taskId: string): string {
  const id = encodeURIComponent(taskId);
  return /^(mj_|swap_face$)/.test(model) ? `/midjourney?range=all&mj_id=${id}` : `/task?range=all&task_id=${id}`;
}

/** The channels tried, in order; only admins' rows tell. */
function Attempts({ record }: { record: LogRecord }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const format = useFormat();
  const { attempts = [], use_channel: used = [] } = record.admin_info ?? {};
  const shown =
    attempts.length > 0
      ? attempts
      : used.map((channel): (typeof attempts)[number] => ({ channel: Number(channel), outcome: '', ms: 0 }));
  if (shown.length === 0) return null;
  return (
    <div className={styles.part}>
      <Text weight="semibold">{t('receipt.attempts')}</Text>
      <ol className={styles.attempts}>
        {shown.map(
          ({ channel, name, key, outcome, ms, conversation, continued, first_token: limit, message, spent }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a channel may be tried twice; the order never changes
            <li key={index} className={styles.attempt}>
              <TextLink to={objectPath.channel(channel)}>{channelText(channel, name)}</TextLink>
              {key && (
                <Text size={200} className={styles.term}>
                  {t('receipt.key', { key })}
                </Text>
              )}
              {outcome && (
                <Badge appearance="tint" color={outcome === 'ok' ? 'success' : 'danger'}>
                  {outcome === 'ok' ? t('receipt.answered') : outcome}
                </Badge>
              )}
              {ms > 0 && (
                <Text size={200} className={styles.term}>
                  {t('milliseconds', { value: format.number(ms) })}
                </Text>
              )}
              {conversation && (
                <Text size={200} className={styles.term}>
                  {t(`receipt.conversation.${conversation}`)}
                </Text>
              )}
              {continued && (
                <Text size={200} className={styles.term}>
                  {t(`receipt.continued.${continued}`)}
                </Text>
              )}
              {spent && (
                <Text size={200} className={styles.term}>
                  {t('receipt.spent', {
                    prompt: format.number(spent.prompt),
                    completion: format.number(spent.completion),
                  })}
                </Text>
              )}
              {limit && (
                <Text size={200} className={styles.term}>
                  {wordsIn(currentLanguage(), firstTokenText(limit))}
                </Text>
              )}
              {message && <Text size={200}>{message}</Text>}
            </li>
          ),
        )}
      </ol>
    </div>
  );
}

function jsonOf(log: Log, record: LogRecord): string {
  return JSON.stringify({ ...log, other: record }, undefined, 2);
}

const GroupFact = ({ name }: { name: string }) => <TextLink to={objectPath.group(name)}>{name}</TextLink>;
