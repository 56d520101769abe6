import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
  makeStyles,
  mergeClasses,
  tokens,
} from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface Question {
  title: string;
  text: ReactNode;
  /** On the button that does it: `Delete token ci`. */
  action: string;
  /** On the other one, where `Cancel` could be meant either way. */
  cancel?: string;
  /** Red button: what it does cannot be taken back. */
  isDangerous?: boolean;
  /** Has to be typed before the button works, for what touches many things. */
  word?: string;
  /** Not about the page that asks: it stays when another one comes. */
  isForAnyPage?: boolean;
}

interface AnswerProps {
  question: Question;
  onAnswer: (value: boolean) => void;
}

const useStyles = makeStyles({
  title: { overflowWrap: 'anywhere' },
  danger: {
    backgroundColor: tokens.colorStatusDangerBackground3,
    color: tokens.colorNeutralForegroundOnBrand,
    ':hover': {
      backgroundColor: tokens.colorStatusDangerBackground3Hover,
      color: tokens.colorNeutralForegroundOnBrand,
    },
    ':hover:active': {
      backgroundColor: tokens.colorStatusDangerBackground3Pressed,
      color: tokens.colorNeutralForegroundOnBrand,
    },
  },
  word: { marginTop: tokens.spacingVerticalM },
  // The whole width and not half of it: the button names the thing.
  actions: { '@media (min-width: 481px)': { gridColumnStart: 1 } },
  action: { maxWidth: 'none' },
});

/** The question and its two answers. */
export function ConfirmDialog({ question, isOpen, onAnswer }: AnswerProps & { isOpen: boolean }) {
  return (
    <Dialog modalType="alert" open={isOpen} onOpenChange={(_event, { open }) => open || onAnswer(false)}>
      <DialogSurface>{isOpen && <Body question={question} onAnswer={onAnswer} />}</DialogSurface>
    </Dialog>
  );
}

function Body({ question, onAnswer }: AnswerProps) {
  const { t } = useTranslation('shell');
  const { title, text, action, cancel = t('action.cancel'), isDangerous, word } = question;
  const styles = useStyles();
  const [typed, setTyped] = useState('');
  const isReady = word === undefined || typed.trim() === word;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onAnswer(true);
      }}
    >
      <DialogBody>
        <DialogTitle className={styles.title}>{title}</DialogTitle>
        <DialogContent>
          {text}
          {word !== undefined && (
            <Field className={styles.word} label={t('confirm.type', { word })}>
              <Input value={typed} autoComplete="off" onChange={(_event, { value }) => setTyped(value)} />
            </Field>
          )}
        </DialogContent>
        <DialogActions className={styles.actions}>
          {/* The first button has the focus: Enter alone does nothing that cannot be taken back. */}
          <Button type="button" onClick={() => onAnswer(false)}>
            {cancel}
          </Button>
          <Button
            type="submit"
            appearance="primary"
            disabled={!isReady}
            className={mergeClasses(styles.action, isDangerous && isReady && styles.danger)}
          >
            {action}
          </Button>
        </DialogActions>
      </DialogBody>
    </form>
  );
}
