import { FormProvider, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { FormDialog } from '../../components/feedback/panel-dialog.tsx';
import { TextField } from '../../components/form/field.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { useOptionText } from '../../i18n/option-text.ts';
import { optionOf, type PriceField } from './use-prices.ts';

type NewPrices = Partial<Record<PriceField, number>>;

interface AddModelDialogProps {
  taken: string[];
  onAdd: (name: string, values: NewPrices) => void;
  onClose: () => void;
}

const text = z.string().trim();
const isNumber = (written: string) => written === '' || Number.isFinite(Number(written));
const noNumber = 'setting:fault.number';

const newModelSchema = (taken: string[]) =>
  z
    .object({
      name: z
        .string()
        .trim()
        .min(1)
        .max(255)
        .refine((name) => !taken.includes(name), { message: 'setting:price.taken' }),
      price: text.refine(isNumber, { message: noNumber }),
      ratio: text,
      completionRatio: text,
    })
    // With a fixed price these two are out of use, whatever they contain.
    .refine(({ price, ratio }) => price !== '' || isNumber(ratio), { path: ['ratio'], message: noNumber })
    .refine(({ price, completionRatio }) => price !== '' || isNumber(completionRatio), {
      path: ['completionRatio'],
      message: noNumber,
    })
    .refine(({ price, ratio }) => price !== '' || ratio !== '', { path: ['ratio'], message: 'setting:price.none' });

/** A model that has no price yet. */
export function AddModelDialog({ taken, onAdd, onClose }: AddModelDialogProps) {
  const { t } = useTranslation('setting');
  const optionText = useOptionText();
  const form = useSchemaForm(newModelSchema(taken), { name: '', price: '', ratio: '', completionRatio: '' });
  const hasPrice = useWatch({ control: form.control, name: 'price' }).trim() !== '';
  const submit = form.handleSubmit(({ name, price, ratio, completionRatio }) => {
    const texts = hasPrice ? { price } : { ratio, completionRatio };
    const given = Object.entries(texts).filter(([, text]) => text !== '');
    onAdd(name, Object.fromEntries(given.map(([field, text]) => [field, Number(text)])));
    onClose();
  });
  return (
    <FormProvider {...form}>
      <FormDialog
        title={t('price.add')}
        action={t('entry.add')}
        onSubmit={(event) => void submit(event)}
        onClose={onClose}
      >
        <TextField name="name" label={t('price.name')} isRequired autoFocus />
        <TextField name="price" {...optionText(optionOf.price)} />
        <TextField name="ratio" {...optionText(optionOf.ratio)} isDisabled={hasPrice} />
        <TextField name="completionRatio" {...optionText(optionOf.completionRatio)} isDisabled={hasPrice} />
      </FormDialog>
    </FormProvider>
  );
}
