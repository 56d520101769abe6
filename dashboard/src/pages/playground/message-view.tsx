import {
  Body1Strong,
  Image,
  MessageBar,
  MessageBarBody,
  makeStyles,
  Spinner,
  Text,
  tokens,
} from '@fluentui/react-components';
import { ArrowClockwise20Regular } from '@fluentui/react-icons/svg/arrow-clockwise';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { lazy, memo, Suspense, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../components/feedback/copy.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { useFormat } from '../../state/format.ts';
import { usePriceText } from '../../state/price-text.ts';
import { useDuration } from '../overview/use-duration.ts';
import type { Message } from './conversation.ts';

const Markdown = lazy(() => import('../../components/markdown.tsx').then((file) => ({ default: file.Markdown })));

const useStyles = makeStyles({
  asked: {
    alignSelf: 'flex-end',
    maxWidth: '85%',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorNeutralForeground1,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  images: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, marginBottom: tokens.spacingVerticalS },
  response: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS, minWidth: 0 },
  model: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200, overflowWrap: 'anywhere' },
  plain: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  thought: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    '& summary': { cursor: 'pointer', padding: '4px 0' },
  },
  foot: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalXS },
  figures: { color: tokens.colorNeutralForeground3, marginLeft: tokens.spacingHorizontalS },
});

interface MessageViewProps {
  message: Message;
  onRetry: (id: string) => void;
}

/** One thing that was said; responses with their time and cost. */
export const MessageView = memo(function MessageView({ message, onRetry }: MessageViewProps) {
  return message.role === 'user' ? <Asked message={message} /> : <Response message={message} onRetry={onRetry} />;
});

function Asked({ message: { text, images, imageCount } }: { message: Message }) {
  const { t } = useTranslation('playground');
  const styles = useStyles();
  return (
    <div className={styles.asked}>
      {images ? (
        <div className={styles.images}>
          {images.map((image) => (
            <Image key={image} src={image} alt={t('image.attached')} height={96} shape="rounded" bordered />
          ))}
        </div>
      ) : (
        imageCount !== undefined && (
          <Text block italic size={200}>
            {t('image.gone', { count: imageCount })}
          </Text>
        )
      )}
      {text}
    </div>
  );
}

function Response({ message, onRetry }: MessageViewProps) {
  const { t } = useTranslation('playground');
  const styles = useStyles();
  const copy = useCopy();
  const { id, text, reasoning, status, model, error } = message;
  // The text grows faster than it needs to be drawn.
  const shown = useDeferredValue(text);
  const isOver = status !== 'loading';
  return (
    <article className={styles.response} aria-label={t('answerOf', { model })} aria-busy={!isOver}>
      <Body1Strong className={styles.model}>{model}</Body1Strong>
      {reasoning && (
        <details className={styles.thought}>
          <summary>{t('reasoning')}</summary>
          <div className={styles.plain}>{reasoning}</div>
        </details>
      )}
      {text && (
        <Suspense fallback={<div className={styles.plain}>{shown}</div>}>
          <Markdown text={shown} isForeign />
        </Suspense>
      )}
      {!isOver && !text && <Spinner size="tiny" labelPosition="after" label={t('waiting')} />}
      {status === 'error' && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{error}</MessageBarBody>
        </MessageBar>
      )}
      {isOver && (
        <div className={styles.foot}>
          {text && (
            <IconButton size="small" label={t('copy')} icon={<Copy20Regular />} onClick={() => void copy(text)} />
          )}
          <IconButton size="small" label={t('retry')} icon={<ArrowClockwise20Regular />} onClick={() => onRetry(id)} />
          <Figures message={message} />
        </div>
      )}
    </article>
  );
}

/** First token, whole time, tokens and cost. */
function Figures({ message }: { message: Message }) {
  const { t } = useTranslation('playground');
  const styles = useStyles();
  const { number } = useFormat();
  const money = usePriceText();
  const duration = useDuration();
  const { status, firstTokenMs, totalMs, promptTokens, completionTokens, quota } = message;
  const parts = [
    status === 'incomplete' && t('incomplete'),
    firstTokenMs !== undefined && t('figure.first', { time: duration(firstTokenMs) }),
    totalMs !== undefined && t('figure.total', { time: duration(totalMs) }),
    promptTokens !== undefined &&
      t('figure.tokens', { prompt: number(promptTokens), completion: number(completionTokens ?? 0) }),
    quota !== undefined && t('figure.cost', { cost: money(quota) }),
  ];
  return (
    <Text size={200} className={styles.figures}>
      {parts.filter(Boolean).join(' · ')}
    </Text>
  );
}
