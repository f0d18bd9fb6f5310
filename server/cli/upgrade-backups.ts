// The names of backups that are made before upgrades: they alone say which database, which versions and when.
import type { Level, Upgrade } from '../db/migrate.ts';

export interface UpgradeBackup extends Upgrade {
  name: string;
  instance: string;
  /** ISO. */
  time: string;
}

const levelText = ({ schema, base }: Level): string => `${schema}.${base}`;

export const nameOfBackup = (instance: string, { from, to }: Upgrade, time: Date): string =>
  `upgrade-${instance}-${levelText(from)}-to-${levelText(to)}-${time.toISOString().replaceAll(/[-:.]/g, '')}.backup`;

const form =
  /^upgrade-([0-9a-f]{8})-(\d+)\.(\d+)-to-(\d+)\.(\d+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.backup$/;

const readName = (name: string): UpgradeBackup | undefined => {
  const [whole, instance = '', ...parts] = form.exec(name) ?? [];
  if (whole === undefined) return undefined;
  const [schema, base, toSchema, toBase, year, month, day, hour, minute, second, milli] = parts;
  return {
    name,
    instance,
    from: { schema: Number(schema), base: Number(base) },
    to: { schema: Number(toSchema), base: Number(toBase) },
    time: `${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`,
  };
};

/** The newest first; files of other names are none. */
export const readNames = (names: readonly string[]): UpgradeBackup[] =>
  names
    .map(readName)
    .filter((backup) => backup !== undefined)
    .toSorted((one, other) => other.time.localeCompare(one.time));
