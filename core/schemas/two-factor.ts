import { z } from 'zod';

/** Of an authenticator app, or one of the backup codes. */
export const secondStepSchema = z.object({ code: z.string().trim().min(1).max(32) });

export const twoFactorStatusSchema = z.object({ enabled: z.boolean(), backup_codes_remaining: z.number() });
export type TwoFactorStatus = z.output<typeof twoFactorStatusSchema>;

export const twoFactorSetupSchema = z.object({
  /** In base32, to be typed where no camera is. */
  secret: z.string(),
  /** The text of the QR code: `otpauth://totp/...`. */
  qr_code_data: z.string(),
  backup_codes: z.array(z.string()),
});
export type TwoFactorSetup = z.output<typeof twoFactorSetupSchema>;

export const backupCodesSchema = z.object({ backup_codes: z.array(z.string()) });

/** In place of the user, when the password was right and a code is asked for. */
export const secondStepNeededSchema = z.object({ require_2fa: z.literal(true) });
