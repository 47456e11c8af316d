# Programs that read reports. A test is registered if the one that it is about is found.
find_program(GO go ${WI_READER_REQUIRED})
if(GO)
  wi_set_report_command(command pprof_test.py --go ${GO})
  wi_add_test(report.pprof.go ${command})
endif()
find_path(PPROF_FORMAT_DIR dist/esm/index.js NO_DEFAULT_PATH ${WI_READER_REQUIRED}
          PATHS ${WI_NPM_MODULES} PATH_SUFFIXES pprof-format)
if(PPROF_FORMAT_DIR)
  wi_set_report_command(command pprof_test.py --node ${NODE} --package ${PPROF_FORMAT_DIR})
  wi_add_test(report.pprof.format ${command})
endif()
find_program(CALLGRIND_ANNOTATE callgrind_annotate ${WI_READER_REQUIRED})
if(CALLGRIND_ANNOTATE)
  wi_set_report_command(command callgrind_test.py --annotate ${CALLGRIND_ANNOTATE})
  wi_add_test(report.callgrind ${command})
endif()

wi_set_report_command(command places_test.py $<$<BOOL:${CALLGRIND_ANNOTATE}>:--annotate=${CALLGRIND_ANNOTATE}>
                      $<$<BOOL:${GO}>:--go=${GO}>)
wi_add_test(report.places ${command} COMMAND_EXPAND_LISTS)

wi_set_report_command(command readers_test.py --node ${NODE} $<$<BOOL:${WI_ALL_READERS}>:--all>)
foreach(format chrome cpuprofile firefox json speedscope)
  wi_add_test(report.${format} ${command} ${format} COMMAND_EXPAND_LISTS)
  set_tests_properties(report.${format} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
