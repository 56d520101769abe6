import { Button, Image, makeStyles, Textarea, tokens } from '@fluentui/react-components';
import { Dismiss16Regular } from '@fluentui/react-icons/svg/dismiss';
import { ImageAdd20Regular } from '@fluentui/react-icons/svg/image-add';
import { Send20Regular } from '@fluentui/react-icons/svg/send';
import { Stop20Regular } from '@fluentui/react-icons/svg/stop';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNotify } from '../../components/feedback/notify.tsx';
import { isEntered } from '../../components/form/entered.ts';
import { IconButton } from '../../components/icon-button.tsx';

const maxImages = 4;
const maxImageBytes = 5 * 1024 * 1024;
const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

const useStyles = makeStyles({
  composer: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    padding: tokens.spacingHorizontalM,
    borderRadius: tokens.borderRadiusXLarge,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow4,
    // The frame shows where one writes; the field in it needs none of its own.
    ':focus-within': { border: `1px solid ${tokens.colorCompoundBrandStroke}` },
  },
  text: {
    width: '100%',
    border: 'none',
    backgroundColor: 'transparent',
    '::after': { display: 'none' },
    ':hover': { border: 'none' },
    ':active': { border: 'none' },
    ':focus-within': { border: 'none' },
  },
  row: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
  space: { flex: '1 1 0' },
  images: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  image: { position: 'relative' },
  remove: { position: 'absolute', top: '-8px', right: '-8px', minWidth: 0 },
  file: { display: 'none' },
});

interface ComposerProps {
  isResponding: boolean;
  onSend: (text: string, images: string[]) => void;
  onStop: () => void;
}

/** Where a question is written; Enter sends it, Shift and Enter begin a new line. */
export function Composer({ isResponding, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation('playground');
  const styles = useStyles();
  const [text, setText] = useState('');
  const { images, add, remove, clear } = useImages();
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const isReady = !isResponding && (text.trim() !== '' || images.length > 0);

  function send(): void {
    if (!isReady) return;
    onSend(text.trim(), images);
    setText('');
    clear();
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!isEntered(event) || event.shiftKey) return;
    event.preventDefault();
    send();
  }

  return (
    <div className={styles.composer}>
      {images.length > 0 && (
        <div className={styles.images}>
          {images.map((image, index) => (
            <span key={image} className={styles.image}>
              <Image src={image} alt={t('image.attached')} height={64} shape="rounded" bordered />
              <Button
                className={styles.remove}
                size="small"
                shape="circular"
                icon={<Dismiss16Regular />}
                aria-label={t('image.remove')}
                onClick={() => remove(index)}
              />
            </span>
          ))}
        </div>
      )}
      <Textarea
        className={styles.text}
        textarea={{ ref: field }}
        rows={2}
        value={text}
        aria-label={t('question')}
        placeholder={t('placeholder')}
        onChange={(_event, { value }) => setText(value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => void add(event.clipboardData.files)}
      />
      <div className={styles.row}>
        <input
          ref={picker}
          className={styles.file}
          type="file"
          accept={imageTypes.join(',')}
          multiple
          aria-label={t('image.add')}
          onChange={(event) => {
            void add(event.target.files ?? []);
            event.target.value = '';
          }}
        />
        <IconButton label={t('image.add')} icon={<ImageAdd20Regular />} onClick={() => picker.current?.click()} />
        <span className={styles.space} />
        {isResponding ? (
          <Button icon={<Stop20Regular />} onClick={onStop}>
            {t('stop')}
          </Button>
        ) : (
          <Button appearance="primary" icon={<Send20Regular />} disabledFocusable={!isReady} onClick={send}>
            {t('send')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Pictures that go along with the next question. */
function useImages() {
  const { t } = useTranslation('playground');
  const notify = useNotify();
  const [images, setImages] = useState<string[]>([]);

  async function add(files: Iterable<File>): Promise<void> {
    const pictures = [...files].filter(({ type }) => imageTypes.includes(type));
    const fitting = pictures.filter(({ size }) => size <= maxImageBytes);
    if (fitting.length < pictures.length) notify.warning(t('image.tooLarge'));
    if (images.length + fitting.length > maxImages) notify.warning(t('image.tooMany', { max: maxImages }));
    const addresses = await Promise.all(fitting.map(dataAddress));
    setImages((before) => [...new Set([...before, ...addresses])].slice(0, maxImages));
  }

  return {
    images,
    add,
    remove: (index: number) => setImages((before) => before.filter((_image, position) => position !== index)),
    clear: () => setImages([]),
  };
}

function dataAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
