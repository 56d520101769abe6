import { z } from 'zod';

/** Of an authenticator app, or one of the backup codes. */
export const secondStepSchema = z.object({ code: z.string().trim().min(1).max(32) });

/** Accounts that were opened by a sign-in elsewhere may have no password: they leave it out. */
export const twoFactorBeginSchema = z.preprocess(
  (body) => body ?? {},
  z.object({ password: z.string().max(128).default('') }),
);

export const twoFactorStatusSchema = z.object({
  enabled: z.boolean(),
  backup_codes_remaining: z.number(),
  /** Whether setting it up asks for the own password. */
  password_needed: z.boolean(),
});
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
