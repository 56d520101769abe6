import {
  Badge,
  makeStyles,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  Text,
  tokens,
} from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { ExplanationView } from '../../api/explain.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';

type Channel = ExplanationView['channels'][number];

const useStyles = makeStyles({
  scroll: { overflowX: 'auto' },
  table: { minWidth: '560px' },
  cell: { verticalAlign: 'top', paddingTop: '8px', paddingBottom: '8px', overflowWrap: 'anywhere' },
  why: { width: '50%' },
  note: { color: tokens.colorNeutralForeground3 },
});

/** Those that would be tried, and those that list the model and would not, with the reason. */
export function ExplainedChannels({ view: { channels, retries } }: { view: ExplanationView }) {
  const { t } = useTranslation('explain');
  const styles = useStyles();
  const format = useFormat();
  const listed = channels.filter(({ reasons }) => !reasons.some(({ code }) => code === 'explain.modelNotListed'));
  const others = channels.length - listed.length;
  return (
    <SectionCard title={t('channels.title')} purpose={t('channels.purpose', { count: retries })}>
      {listed.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend
        <div className={styles.scroll} tabIndex={0} role="group" aria-label={t('channels.title')}>
          <Table size="small" className={styles.table} aria-label={t('channels.title')}>
            <TableHeader>
              <TableRow>
                <TableHeaderCell>{t('channels.name')}</TableHeaderCell>
                <TableHeaderCell>{t('channels.turn')}</TableHeaderCell>
                <TableHeaderCell>{t('channels.chance')}</TableHeaderCell>
                <TableHeaderCell className={styles.why}>{t('channels.why')}</TableHeaderCell>
              </TableRow>
            </TableHeader>
            <TableBody>
              {listed.map((channel) => (
                <TableRow key={channel.id}>
                  <TableCell className={styles.cell}>
                    <TextLink to={`/channel/edit/${channel.id}`}>{channel.name}</TextLink>
                  </TableCell>
                  <TableCell className={styles.cell}>
                    <Turn channel={channel} />
                  </TableCell>
                  <TableCell className={styles.cell}>
                    {channel.turn === null ? '–' : format.percent(channel.chance)}
                  </TableCell>
                  <TableCell className={styles.cell}>
                    <Why channel={channel} />
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </div>
      )}
      {channels.length === 0 && <Text>{t('channels.none')}</Text>}
      {others > 0 && (
        <Text size={200} className={styles.note}>
          {t('channels.others', { count: others })}
        </Text>
      )}
    </SectionCard>
  );
}

function Turn({ channel: { turn } }: { channel: Channel }) {
  const { t } = useTranslation('explain');
  if (turn === null) return <Badge appearance="tint">{t('channels.never')}</Badge>;
  return (
    <Badge appearance="tint" color={turn === 1 ? 'success' : 'informative'}>
      {turn === 1 ? t('channels.first') : t('channels.try', { turn })}
    </Badge>
  );
}

function Why({ channel: { turn, weight, reasons } }: { channel: Channel }) {
  const { t } = useTranslation('explain');
  return (
    <>
      {turn === 1 && <div>{t('channels.weight', { weight })}</div>}
      {reasons.map(({ code, message, hint }) => (
        <div key={code}>
          {message} {hint}
        </div>
      ))}
    </>
  );
}
