// Some frames of windows, drawn nowhere.
#include <cstdio>
#include <imgui.h>

int main() {
  ImGui::CreateContext();
  ImGuiIO &io = ImGui::GetIO();
  io.DisplaySize = ImVec2(800, 600);
  io.IniFilename = nullptr;
  unsigned char *pixels;
  int width, height;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  int vertices = 0;
  for (int frame = 0; frame < 3; frame++) {
    io.DeltaTime = 1.0f / 60;
    io.MousePos = ImVec2(20.0f * frame, 30);
    io.MouseDown[0] = frame == 1;
    ImGui::NewFrame();
    bool open = true;
    ImGui::ShowDemoWindow(&open);
    static char text[32] = "text";
    static float values[3];
    ImGui::Begin("window");
    ImGui::InputText("input", text, sizeof text);
    ImGui::SliderFloat3("slider", values, 0, 1);
    ImGui::ColorEdit3("color", values);
    if (ImGui::BeginTable("table", 3)) {
      for (int i = 0; i < 12; i++) {
        ImGui::TableNextColumn();
        ImGui::Text("cell %d", i);
      }
      ImGui::EndTable();
    }
    ImGui::End();
    ImGui::Render();
    vertices += ImGui::GetDrawData()->TotalVtxCount;
  }
  std::printf("%d\n", vertices > 0);
  ImGui::DestroyContext();
}
