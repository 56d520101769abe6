import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import { wordsIn } from '../../../../core/text/detail.ts';
import { TextField } from '../../components/form/field.tsx';
import { useLanguage } from './channel-type.ts';

/** The region, version or account of a vendor that needs one; nothing for other types. */
export function OtherField({ type }: { type: number }) {
  const language = useLanguage();
  const other = channelTypeOf(type)?.other;
  if (!other) return null;
  return (
    <TextField
      name="other"
      label={wordsIn(language, other.label)}
      hint={wordsIn(language, other.hint ?? '')}
      placeholder={other.example ?? ''}
      isRequired={other.isNeeded ?? false}
    />
  );
}
