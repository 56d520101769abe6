import {
  Accordion,
  AccordionHeader,
  AccordionItem,
  AccordionPanel,
  Button,
  MessageBar,
  MessageBarBody,
  MessageBarTitle,
  makeStyles,
  Text,
  tokens,
} from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../feedback/copy.tsx';
import { PanelDialog } from '../feedback/panel-dialog.tsx';
import { isUnderWay } from './use-work-polling.ts';
import { type Charge, WorkCharge } from './work-charge.tsx';
import { type WorkFact, WorkFacts } from './work-facts.tsx';

interface WorkDialogProps {
  title: string;
  work: Charge & { status: string; fail_reason: string };
  /** Status, progress and time so far. */
  state: ReactNode;
  facts: WorkFact[];
  /** The raw data; null before it arrives. */
  raw: unknown;
  /** What was made. */
  children: ReactNode;
  /** Beside the button that closes. */
  actions?: ReactNode;
  onClose: () => void;
}

const useStyles = makeStyles({
  state: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  part: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, minWidth: 0 },
  reason: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  raw: {
    margin: 0,
    padding: tokens.spacingHorizontalM,
    maxHeight: '320px',
    overflow: 'auto',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground2,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
  },
});

/** Everything about one job: what it made, why it failed, what it cost, and what the vendor said. */
export function WorkDialog({ title, work, state, facts, raw, children, actions, onClose }: WorkDialogProps) {
  const { t } = useTranslation('work');
  const styles = useStyles();
  return (
    <PanelDialog
      title={title}
      isWide
      actions={
        <>
          {actions}
          <Button appearance="primary" onClick={onClose}>
            {t('shell:action.close')}
          </Button>
        </>
      }
      onClose={onClose}
    >
      <div className={styles.state}>{state}</div>
      {isUnderWay(work) && <Text size={200}>{t('running')}</Text>}
      {work.status === 'FAILURE' && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody className={styles.reason}>
            <MessageBarTitle>{t('failed')}</MessageBarTitle>
            {work.fail_reason || t('noReason')}
          </MessageBarBody>
        </MessageBar>
      )}
      {children}
      <WorkFacts facts={facts} />
      <section className={styles.part} aria-label={t('charge.title')}>
        <Text weight="semibold">{t('charge.title')}</Text>
        <WorkCharge charge={work} />
      </section>
      {raw !== null && <RawData raw={raw} />}
    </PanelDialog>
  );
}

function RawData({ raw }: { raw: unknown }) {
  const { t } = useTranslation('work');
  const styles = useStyles();
  const copy = useCopy();
  const text = JSON.stringify(raw, undefined, 2);
  return (
    <Accordion collapsible>
      <AccordionItem value="raw">
        <AccordionHeader>{t('raw')}</AccordionHeader>
        <AccordionPanel className={styles.part}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it */}
          <pre className={styles.raw} tabIndex={0}>
            {text}
          </pre>
          <div>
            <Button size="small" icon={<Copy20Regular />} onClick={() => void copy(text)}>
              {t('copyRaw')}
            </Button>
          </div>
        </AccordionPanel>
      </AccordionItem>
    </Accordion>
  );
}
