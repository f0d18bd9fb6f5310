export interface RuntimePackage {
  path: string;
  name: string;
  version: string;
  licence: string | undefined;
  integrity: string | undefined;
  deprecated: string | undefined;
  isOptional: boolean;
  isPrerelease: boolean;
  hasInstallScript: boolean;
}
export declare const isPermissive: (licence: string | undefined) => boolean;
export declare const runtimePackages: () => RuntimePackage[];
export declare const faultsOf: (packages: readonly RuntimePackage[]) => string[];
export declare const documents: () => { 'docs/licences.md': string; 'docs/sbom.cdx.json': string };
