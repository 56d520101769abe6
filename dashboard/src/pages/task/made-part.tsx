import { Caption1, Link, makeStyles, Text, tokens } from '@fluentui/react-components';
import { MusicNote220Regular } from '@fluentui/react-icons/svg/music-note';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Made } from '../../../../core/schemas/task.ts';
import { MayBreak } from '../../components/work/broken-file.tsx';

const useStyles = makeStyles({
  part: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    minWidth: 0,
    padding: tokens.spacingHorizontalM,
    borderRadius: tokens.borderRadiusLarge,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  head: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM, minWidth: 0 },
  words: { display: 'flex', flexDirection: 'column', minWidth: 0, overflowWrap: 'anywhere' },
  tags: { color: tokens.colorNeutralForeground3 },
  cover: {
    flexShrink: 0,
    display: 'grid',
    placeItems: 'center',
    width: '64px',
    height: '64px',
    objectFit: 'cover',
    color: tokens.colorNeutralForeground3,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  audio: { width: '100%' },
  video: {
    width: '100%',
    maxHeight: '60vh',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackgroundStatic,
  },
  links: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalL },
  text: {
    maxHeight: '260px',
    overflowY: 'auto',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    padding: tokens.spacingHorizontalM,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground2,
  },
});

/** What a task made: a song with its cover and words, lyrics, or a video. */
export function MadePart({ part, fileName }: { part: Made; fileName: string }) {
  const { t } = useTranslation('work');
  const styles = useStyles();
  const title = part.title || t('untitled');
  const isSong = part.audio !== '';
  return (
    <section className={styles.part} aria-label={part.title || t('shell:list.details', { name: fileName })}>
      {(part.title !== '' || isSong) && (
        <div className={styles.head}>
          {isSong && <Cover address={part.picture} title={title} />}
          <div className={styles.words}>
            <Text weight="semibold">{title}</Text>
            {part.tags && <Caption1 className={styles.tags}>{part.tags}</Caption1>}
          </div>
        </div>
      )}
      {isSong && (
        <MayBreak key={part.audio}>
          {(onError) => (
            // biome-ignore lint/a11y/useMediaCaption: songs come without captions; their words are below
            <audio
              className={styles.audio}
              controls
              preload="metadata"
              src={part.audio}
              aria-label={t('listen', { title })}
              onError={onError}
            />
          )}
        </MayBreak>
      )}
      {part.video && !isSong && <Video address={part.video} />}
      <div className={styles.links}>
        {isSong && (
          <Link href={part.audio} download={`${title}.mp3`}>
            {t('download')}
          </Link>
        )}
        {part.video && (
          <Link href={part.video} download={`${isSong ? title : fileName}.mp4`}>
            {t('downloadVideo')}
          </Link>
        )}
      </div>
      {part.text && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it
        <section className={styles.text} tabIndex={0} aria-label={t('lyricsOf', { title })}>
          {part.text}
        </section>
      )}
    </section>
  );
}

function Video({ address }: { address: string }) {
  const { t } = useTranslation('work');
  const styles = useStyles();
  return (
    <MayBreak key={address}>
      {(onError) => (
        // biome-ignore lint/a11y/useMediaCaption: a made video has no words; what it shows is the prompt
        <video
          className={styles.video}
          controls
          playsInline
          preload="metadata"
          src={address}
          aria-label={t('watch')}
          onError={onError}
        />
      )}
    </MayBreak>
  );
}

/** A note where there is no cover, or where it cannot be loaded. */
function Cover({ address, title }: { address: string; title: string }) {
  const { t } = useTranslation('work');
  const styles = useStyles();
  const [broken, setBroken] = useState('');
  if (address === '' || broken === address) {
    return (
      <span className={styles.cover}>
        <MusicNote220Regular />
      </span>
    );
  }
  return <img className={styles.cover} src={address} alt={t('cover', { title })} onError={() => setBroken(address)} />;
}
