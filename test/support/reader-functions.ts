// Functions of PostgreSQL that anybody may call, as they were looked through for readers of bases (up to PostgreSQL 18). A new version brings new ones: a test fails until
// each was read and stands here, or is taken from readers (server/db/embedded-handover.ts). docs/guide/sql-access.md tells operators the same.

interface Looked {
  names: RegExp;
  /** Why a reader may call them. */
  reason: string;
}

/** Those that PostgreSQL calls volatile: they may do anything. */
const volatileFunctions: readonly Looked[] = [
  {
    names: /^(RI_FKey_.*|unique_key_recheck|suppress_redundant_updates_trigger|tsvector_update_trigger(_column)?)$/,
    reason: 'Only triggers call them',
  },
  {
    names:
      /^(bernoulli|system|(brin|bt|gin|gist|hash|spg)handler|heap_tableam_handler|dsnowball_(init|lexize)|plpgsql_(call|inline)_handler)$/,
    reason: 'Nobody can make a value of type internal',
  },
  { names: /^(amvalidate|plpgsql_validator)$/, reason: 'They look at definitions' },
  { names: /^pg_(read_file|rotate_logfile)_old$/, reason: 'They ask for a superuser; PostgreSQL 17 has them no more' },
  { names: /^binary_upgrade_/, reason: 'They refuse unless the server runs to be upgraded' },
  {
    names: /^pg_(stop_making_pinned_objects|nextoid|import_system_collations|sync_replication_slots)$/,
    reason: 'They ask for a superuser, or for rights on the catalogue',
  },
  {
    names:
      /^pg_((copy|create)_(logical|physical)_replication_slot|drop_replication_slot|replication_slot_advance|logical_slot_(get|peek)_(binary_)?changes)$/,
    reason: 'They ask for REPLICATION',
  },
  { names: /^(brin_(de)?summarize_.*|gin_clean_pending_list)$/, reason: 'They ask for the owner of the index' },
  { names: /^pg_(clear|restore)_(attribute|relation)_stats$/, reason: 'They ask for MAINTAIN on the table' },
  {
    names: /^(nextval|setval|currval|lastval|pg_sequence_last_value|pg_get_sequence_data)$/,
    reason: 'They ask for rights on the sequence, and readers have none',
  },
  { names: /^pg_(cancel|terminate)_backend$/, reason: 'They reach sessions of the same reader only' },
  { names: /^pg_sleep(_for|_until)?$/, reason: "They hold one of the reader's own connections until its time limit" },
  {
    names: /^pg_notify$/,
    reason: 'NOTIFY cannot be taken from anybody; what fills its queue is ended (watch-readers.ts)',
  },
  { names: /^(set_config|setseed)$/, reason: 'They set what SET sets, for the session itself' },
  {
    names: /^(query_to_xml(schema|_and_xmlschema)?|cursor_to_xml(schema)?|ts_stat|ts_rewrite)$/,
    reason: "They run a text with the reader's own rights",
  },
  {
    names:
      /^(random(_normal)?|gen_random_uuid|uuidv[47]|array_(sample|shuffle)|clock_timestamp|timeofday|current_query)$/,
    reason: 'They tell chance, time, and the own statement',
  },
  {
    names: /^pg_stat_(get_.*|clear_snapshot|force_next_flush)$/,
    reason: 'Numbers about tables and processes; without texts of other sessions',
  },
  {
    names:
      /^pg_(control_.*|current_wal_.*|last_(wal|xact)_.*|is_in_recovery|is_wal_replay_paused|get_wal_.*|available_wal_summaries|wal_summary_contents|jit_available|get_loaded_modules|get_wait_events)$/,
    reason: 'They tell how the server is doing',
  },
  {
    names: /^pg_(relation|table|indexes|total_relation|database|tablespace)_size$/,
    reason: 'Sizes; the database and tablespaces only with rights on them',
  },
  {
    names:
      /^pg_(blocking_pids|safe_snapshot_blocking_pids|isolation_test_session_is_blocked|lock_status|notification_queue_usage|prepared_xact)$/,
    reason: 'Who waits for whom: numbers of processes and tables',
  },
  {
    names: /^(pg_(last_committed_xact|xact_commit_timestamp(_origin)?|xact_status|get_multixact_members)|txid_status)$/,
    reason: 'When transactions ended: numbers',
  },
  {
    names: /^(pg_(collation|database_collation)_actual_version|pg_partition_(ancestors|tree)|currtid2)$/,
    reason: 'They read the catalogue',
  },
  { names: /^pg_extension_config_dump$/, reason: 'It works inside CREATE EXTENSION alone' },
];

/** Families of those that PostgreSQL calls stable: they read, turn one value into another, or estimate. */
const stableFamilies =
  /^(timestamp(tz)?_.*|date_.*|interval_.*|has_.*_privilege|pg_stat_get_.*|pg_get_.*|.*_is_visible|jsonb?_.*|to_.*|ts_.*|.*(_in|_out|regclassin|recv|send)|reg.*(in|out)|.*sel|.*typanalyze)$/;

/** The others of them. */
const stableNames = new Set(
  `
    _pg_index_position aclexplode aclitemin aclitemout age anytextcat array_to_json array_to_string array_typanalyze col_description concat concat_ws convert convert_from convert_to
    current_database current_schema current_schemas current_setting current_user database_to_xml database_to_xml_and_xmlschema database_to_xmlschema date enum_first enum_last
    enum_range extract fmgr_c_validator fmgr_internal_validator fmgr_sql_validator format format_type generate_series get_current_ts_config getdatabaseencoding getpgusername
    in_range inet_client_addr inet_client_port inet_server_addr inet_server_port interval_pl_timestamptz length make_timestamptz money multirange_typanalyze mxid_age now
    numeric obj_description oidvectortypes overlaps pg_available_extension_versions pg_available_extensions pg_backend_pid pg_basetype pg_char_to_encoding pg_client_encoding
    pg_collation_for pg_column_compression pg_column_is_updatable pg_column_size pg_column_toast_chunk_id pg_conf_load_time pg_current_snapshot pg_current_xact_id_if_assigned
    pg_cursor pg_describe_object pg_encoding_to_char pg_event_trigger_ddl_commands pg_event_trigger_dropped_objects pg_event_trigger_table_rewrite_oid
    pg_event_trigger_table_rewrite_reason pg_extension_update_paths pg_filenode_relation pg_has_role pg_identify_object pg_identify_object_as_address
    pg_index_column_has_property pg_index_has_property pg_indexam_has_property pg_input_error_info pg_input_is_valid pg_is_other_temp_schema pg_listening_channels
    pg_mcv_list_items pg_my_temp_schema pg_numa_available pg_options_to_table pg_postmaster_start_time pg_prepared_statement pg_relation_filenode pg_relation_filepath
    pg_relation_is_publishable pg_relation_is_updatable pg_sequence_parameters pg_settings_get_flags pg_show_all_settings pg_split_walfile_name pg_tablespace_databases
    pg_tablespace_location pg_timezone_abbrevs pg_timezone_abbrevs_abbrevs pg_timezone_abbrevs_zone pg_timezone_names pg_trigger_depth pg_typeof phraseto_tsquery plainto_tsquery quote_literal
    quote_nullable range_typanalyze regclass row_security_active row_to_json schema_to_xml schema_to_xml_and_xmlschema schema_to_xmlschema session_user shobj_description
    statement_timestamp system_user table_to_xml table_to_xml_and_xmlschema table_to_xmlschema textanycat time timestamp timestamptz timetz timezone transaction_timestamp
    txid_current_if_assigned txid_current_snapshot version websearch_to_tsquery xml xml_is_well_formed
  `.split(/\s+/),
);

export const isLookedAt = (name: string, isVolatile: boolean): boolean =>
  isVolatile
    ? volatileFunctions.some(({ names }) => names.test(name))
    : stableFamilies.test(name) || stableNames.has(name);
