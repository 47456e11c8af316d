/* wasm-perf run, sample and record: what they do with a request. */
#ifndef WI_CLI_PERF_RUN_H_
#define WI_CLI_PERF_RUN_H_

int cli_run_main(int argc, char **argv);
int cli_sample_main(int argc, char **argv);
int cli_record_main(int argc, char **argv);

#endif /* WI_CLI_PERF_RUN_H_ */
