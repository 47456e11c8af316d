/* Prints, and spends instructions on, everything that hosts answer differently. */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

__attribute__((noinline)) static unsigned spend(unsigned amount) {
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < amount % 1000; i++)
    sum += i;
  return amount;
}

static void show_time(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  printf("clock %lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
  spend((unsigned)now.tv_nsec);
}

static void show_random(void) {
  unsigned char bytes[13];
  getentropy(bytes, sizeof bytes);
  for (size_t i = 0; i < sizeof bytes; i++)
    printf("%02x", spend(bytes[i]));
  putchar('\n');
}

static void show_folder(const char *path) {
  DIR *folder = opendir(path);
  if (!folder)
    return;
  for (struct dirent *entry; (entry = readdir(folder));) {
    struct stat status;
    char name[300];
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    if (entry->d_name[0] == '.' || stat(name, &status) != 0)
      continue;
    printf("%s %lld %llu %lld\n", name, (long long)status.st_mtim.tv_sec,
           (unsigned long long)status.st_ino, (long long)status.st_size);
    spend((unsigned)status.st_ino + (unsigned)entry->d_name[0]);
  }
  closedir(folder);
}

static void show_streams(void) {
  for (int fd = 0; fd < 3; fd++) {
    struct stat status;
    fstat(fd, &status);
    printf("%d %d %lld %x\n", fd, isatty(fd), (long long)lseek(fd, 0, SEEK_CUR),
           (unsigned)status.st_mode);
  }
}

static void show_file(const char *path) {
  char text[100];
  FILE *file = fopen(path, "r");
  while (file && fgets(text, sizeof text, file))
    spend((unsigned)strlen(text));
  if (file)
    fclose(file);
}

int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++)
    puts(argv[i]);
  for (char **variable = environ; *variable; variable++)
    puts(*variable);
  show_time(CLOCK_REALTIME);
  show_time(CLOCK_MONOTONIC);
  if (argc > 1) /* an hour, which nobody waits for */
    nanosleep(&(struct timespec){.tv_sec = 3600}, NULL);
  show_time(CLOCK_MONOTONIC);
  show_random();
  show_streams();
  show_folder("files");
  show_file("files/text");
  puts("end");
}
