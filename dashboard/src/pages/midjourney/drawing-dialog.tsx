import { useTranslation } from 'react-i18next';
import type { Drawing } from '../../../../core/schemas/drawing.ts';
import { CancelButton } from '../../components/work/cancel-button.tsx';
import { WorkDuration, WorkProgress } from '../../components/work/work-cell.tsx';
import { WorkDialog } from '../../components/work/work-dialog.tsx';
import type { WorkFact } from '../../components/work/work-facts.tsx';
import { useFormat } from '../../state/format.ts';
import { LargePicture } from './drawing-picture.tsx';
import { DrawingStatus } from './drawing-status.tsx';
import { drawingName, secondsOf } from './drawing-text.ts';

interface DrawingDialogProps {
  drawing: Drawing;
  isAdmin: boolean;
  /** Something about it is different now. */
  onChange: () => void;
  onClose: () => void;
}

/** The picture, large, with what was asked for, and everything else there is about it. */
export function DrawingDialog({ drawing, isAdmin, onChange, onClose }: DrawingDialogProps) {
  const { t } = useTranslation('midjourney');
  const facts = useFacts(drawing, isAdmin);
  const { begun, done } = secondsOf(drawing);
  return (
    <WorkDialog
      title={t('dialog', { name: drawingName(drawing) })}
      work={drawing}
      state={
        <>
          <DrawingStatus status={drawing.status} />
          <WorkProgress progress={drawing.progress} status={drawing.status} />
          <WorkDuration status={drawing.status} begun={begun} done={done} />
        </>
      }
      facts={facts}
      raw={rawOf(drawing)}
      actions={
        drawing.can_cancel && (
          <CancelButton path="/api/mj" id={drawing.id} name={drawingName(drawing)} onDone={onChange} />
        )
      }
      onClose={onClose}
    >
      <LargePicture drawing={drawing} />
    </WorkDialog>
  );
}

function useFacts(drawing: Drawing, isAdmin: boolean): WorkFact[] {
  const { t } = useTranslation('midjourney');
  const format = useFormat();
  const { prompt, prompt_en, description, state, action, code, mj_id, username, channel_id } = drawing;
  const time = (ms: number) => (ms > 0 ? format.time(Math.round(ms / 1000)) : '');
  const { finalPrompt } = objectOf(drawing.properties);
  return [
    { label: t('field.prompt'), text: prompt },
    { label: t('field.promptEnglish'), text: prompt_en === prompt ? '' : prompt_en },
    { label: t('field.finalPrompt'), text: typeof finalPrompt === 'string' ? finalPrompt : '' },
    { label: t('field.description'), text: description },
    { label: t('field.state'), text: state },
    { label: t('field.action'), text: t([`action.${action}`, 'unknown']) },
    { label: t('field.code'), text: t([`code.${code}`, 'unknown']) },
    { label: t('field.submitted'), text: time(drawing.submit_time) },
    { label: t('field.started'), text: time(drawing.start_time) },
    { label: t('field.finished'), text: time(drawing.finish_time) },
    { label: t('field.username'), text: isAdmin ? username : '' },
    { label: t('field.channel'), text: isAdmin && channel_id > 0 ? `#${channel_id}` : '' },
    { label: t('field.id'), text: mj_id, isId: true },
  ];
}

/** The two members that are JSON in a text are shown as what they are. */
function rawOf({ buttons, properties, ...drawing }: Drawing): unknown {
  return { ...drawing, buttons: readValue(buttons), properties: readValue(properties) };
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // an imported row contains whatever its program wrote
  }
}

function objectOf(text: string): Record<string, unknown> {
  const value = readValue(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
