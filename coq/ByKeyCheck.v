(** * BYKEY: the side conditions as a computation, and the rule ([by_key_sound]) *)
From Tallystick Require Export ByKeyFinal.

Definition side_ok (G P inv : term) (sts : list folded) (ds : list side) (d : side) : bool :=
  match find_state sts (kx d) (kt d) with None => true | _ => false end &&
  negb (is_slot (kx d)) && stands (ax d) && stands (ex d) &&
  is (typeof (Some (vt d)) (Some (tt d)) (step' d)) (tt d) && is (type (start d)) (tt d) &&
  is (type (source d)) (TBag (TTup [kt d; vt d])) && plain (by_key_term d) && forallb (covered (slots (sm d))) [present (bucket_mono d); result (bucket_mono d)] &&
  forallb (fun s => forallb (fresh_in (acc s)) [step' d; present (sm d); result (sm d); present (bucket_mono d); result (bucket_mono d); present (pm d); result (pm d)]) sts &&
  forallb (fresh_in Post) [present (pm d); result (pm d); P; by_key_term d] &&
  slots_eqb (slots (pm d)) [(Post, pair_type d, O)] && plain (substitute (replace (by_key_term d) (Var Post (TBag (pair_type d)))) P) &&
  forallb (fun e => forallb (fresh_in (kx e)) [start d; step' d; source d; present (sm d); result (sm d); present (pm d); result (pm d)]) ds &&
  forallb (fun s => negb (name_eqb (fst (fst s)) (kx d))) (slots (sm d)) && fresh_in (kx d) G.
Definition by_key_ok (G P Q inv : term) (d1 d2 : side) : bool :=
  let sts := all_states [d1; d2] in
  goal_ok G P Q && plain inv && is (type inv) TBool && distinct_names (map acc sts) && plain (conj [G; inv]) &&
  negb (name_eqb (kx d1) (kx d2)) && slots_eqb (slots (sm d1)) (slots (sm d2)) && forallb (fun s => fresh_in (acc s) G) sts &&
  forallb (fun s => negb (name_eqb (fst (fst s)) (kx d2))) (slots (sm d1)) && forallb (fun s => negb (name_eqb (fst (fst s)) (kx d1))) (slots (sm d2)) &&
  side_ok G P inv sts [d1; d2] d1 && side_ok G Q inv sts [d1; d2] d2.

Lemma read_side_ok P t n d : read_side P t n = Some d -> by_key_term d = t /\ type t = Some (TBag (pair_type d)) /\
  monomials (source d) = Some [sm d] /\ monomials (substitute (replace t (Var Post (TBag (pair_type d)))) P) = Some [pm d].
Proof.
  unfold read_side. destruct n as [[k e] a]. destruct t as [| | | | | |o args]; try discriminate. destruct o; try discriminate.
  destruct args as [|i [|f [|b [|]]]]; try discriminate. 
  destruct (type (Op FoldByKey [i; f; b])) as [[| | | | |[| | | |[|kt [|tt [|]]]|]]|] eqn:T; try discriminate.
  destruct (type b) as [[| | | | |[| | | |[|kt' [|vt [|]]]|]]|] eqn:B; try discriminate.
  destruct (monomials b) as [[|m [|]]|] eqn:M; try discriminate.
  destruct (monomials (substitute _ P)) as [[|q [|]]|] eqn:Q; try discriminate.
  intros [= <-]. cbn. auto.
Qed.
Ltac allb H := repeat match type of H with (_ && _)%bool = true => apply andb_true_iff in H as [H ?] end.

Lemma plain_parts d : plain (by_key_term d) = true -> plain (start d) = true /\ plain (step' d) = true /\ plain (source d) = true.
Proof. unfold by_key_term. cbn [plain forallb]. rewrite !andb_true_iff. tauto. Qed.
Theorem by_key_sound G P Q F1 F2 inv n1 n2 d1 d2 : read_side P F1 n1 = Some d1 -> read_side Q F2 n2 = Some d2 ->
  by_key_ok G P Q inv d1 d2 = true -> (forall p, In p (by_key_premises G inv d1 d2) -> valid p) -> judged G P Q.
Proof.
  intros R1 R2 OK V. apply read_side_ok in R1 as (B1 & TY1 & M1 & PM1). apply read_side_ok in R2 as (B2 & TY2 & M2 & PM2). subst F1 F2.
  unfold by_key_ok in OK. cbv zeta in OK. rewrite !andb_true_iff in OK.
  destruct OK as (((((((((((GO & PI) & TI) & DN) & PK) & KD) & SE) & FG) & KS12) & KS21) & S1) & S2).
  pose proof GO as GO'. unfold goal_ok in GO'. rewrite !andb_true_iff in GO'. destruct GO' as ((((PG & PP) & PQ) & TG) & TQ).
  apply is_eq in TG, TI. apply negb_true_iff in KD. apply slots_eqb_eq in SE. rewrite !forallb_forall in FG, KS12, KS21.
  unfold side_ok in S1, S2. rewrite !andb_true_iff in S1, S2.
  destruct S1 as (((((((((((((((A1 & A2) & A3) & A4) & A5) & A6) & A7) & A8) & A10) & A11) & A13) & A14) & A15) & A16) & A17) & A18).
  destruct S2 as (((((((((((((((C1 & C2) & C3) & C4) & C5) & C6) & C7) & C8) & C10) & C11) & C13) & C14) & C15) & C16) & C17) & C18).
  rewrite negb_true_iff in A2, C2. apply is_eq in A5, A6, A7, C5, C6, C7. apply slots_eqb_eq in A14, C14.
  rewrite forallb_forall in A10, A11, A13, A16, A17, C10, C11, C13, C16, C17.
  destruct (type P) as [tp|] eqn:TP; [|discriminate]. apply is_eq in TQ. intros r R HG.
  set (q1 := substitute (replace (by_key_term d1) (Var Post (TBag (pair_type d1)))) P) in *.
  set (q2 := substitute (replace (by_key_term d2) (Var Post (TBag (pair_type d2)))) Q) in *.
  assert (SUB : forall d z, type z = Some tp -> occurs Post z = false -> type (by_key_term d) = Some (TBag (pair_type d)) ->
     type (substitute (replace (by_key_term d) (Var Post (TBag (pair_type d)))) z) = Some tp /\
     meaning (world r d) (substitute (replace (by_key_term d) (Var Post (TBag (pair_type d)))) z) = meaning r z).
  { intros d z TZ OZ TD. assert (TW : typed (world r d)) by (apply set_typed; auto; now apply typed_meaning).
    destruct (substitute_ok r (world r d) (replace (by_key_term d) (Var Post (TBag (pair_type d)))) R TW) with (t := z) (ce := @None ty) (ca := @None ty) (u := tp) as [X1 X2]; auto.
    - intros y u Y. unfold replace in Y. destruct (term_eqb y _) eqn:E; [|discriminate]. inversion Y; subst; clear Y. apply term_eqb_eq in E; subst.
      exists (TBag (pair_type d)). repeat split; auto. unfold meaning at 1; cbn [run in_order]. unfold world, set. cbn [name_eqb]. now rewrite ty_eqb_refl.
    - intros y u U _. unfold world, set. destruct (name_eqb y Post) eqn:E; auto. apply name_eqb_eq in E; subst. apply uses_occurs in U. congruence.
    - split; auto. exact (X2 nothing nothing I I). }
  assert (FP : occurs Post P = false) by (exact (proj1 (negb_true_iff _) (A13 P (or_intror (or_intror (or_introl eq_refl)))))).
  assert (FQ : occurs Post Q = false) by (exact (proj1 (negb_true_iff _) (C13 Q (or_intror (or_intror (or_introl eq_refl)))))).
  destruct (SUB d1 P TP FP TY1) as [X1 X2]. destruct (SUB d2 Q TQ FQ TY2) as [Y1 Y2]. fold q1 in X1, X2. fold q2 in Y1, Y2.
  (* the type of what follows *)
  assert (BT : exists t, tp = TBag t).
  { clear -PM1 X1. destruct q1 as [| | |x t| | |op args]; cbn in PM1; try discriminate.
    - destruct t; try discriminate. inversion X1. eauto.
    - unfold type in X1. destruct op; try discriminate; split_args args; cbn [typeof] in X1; whens; eauto. }
  destruct BT as [t ->].
  destruct (monomials_ok _ _ _ PM1 X1 A15) as (WP1 & XP1 & _). destruct (monomials_ok _ _ _ PM2 Y1 C15) as (WP2 & XP2 & _).
  destruct (monomials_ok _ _ _ M1 A7 (proj2 (proj2 (plain_parts d1 A8)))) as (_ & XS1 & _). destruct (monomials_ok _ _ _ M2 C7 (proj2 (proj2 (plain_parts d2 C8)))) as (_ & XS2 & _).
  apply Forall_inv in XP1, XP2, XS1, XS2.
  rewrite <- X2, <- Y2. apply Forall_inv in WP1, WP2.
  assert (TV : forall d q, typed (world r d) -> type q = Some (TBag t) -> meaning (world r d) q = bag (elements (meaning (world r d) q))).
  { intros d q TW HT. apply typed_bag with (t := t). now apply typed_meaning. }
  assert (TW1 : typed (world r d1)) by (apply set_typed; auto; now apply typed_meaning).
  assert (TW2 : typed (world r d2)) by (apply set_typed; auto; now apply typed_meaning).
  rewrite (TV d1 q1 TW1 X1), (TV d2 q2 TW2 Y1). apply bag_same.
  assert (P1 : plain (start d1) = true /\ plain (step' d1) = true /\ plain (source d1) = true) by (cbn in A8; rewrite !andb_true_iff in A8; tauto).
  assert (P2 : plain (start d2) = true /\ plain (step' d2) = true /\ plain (source d2) = true) by (cbn in C8; rewrite !andb_true_iff in C8; tauto).
  assert (TS : forall d, In d [d1; d2] -> type (start d) = Some (tt d) /\ typeof (Some (vt d)) (Some (tt d)) (step' d) = Some (tt d) /\
    type (source d) = Some (TBag (TTup [kt d; vt d])) /\ monomials (source d) = Some [sm d] /\ plain (step' d) = true /\ plain (source d) = true).
  { intros d [<-|[<-|[]]]; repeat split; auto; tauto. }
  assert (SS : forall d, In d [d1; d2] -> slots (sm d) = slots (sm d1) /\ indexed (sm d)).
  { intros d [<-|[<-|[]]]; auto. }
  assert (KN : forall d, In d [d1; d2] -> find_state (all_states [d1; d2]) (kx d) (kt d) = None /\ is_slot (kx d) = false /\ stands (ax d) = true /\ stands (ex d) = true).
  { intros d [<-|[<-|[]]]; (split; [|auto]).
    - revert A1. destruct (find_state (all_states [d1; d2]) (kx d1) (kt d1)); [discriminate|reflexivity].
    - revert C1. destruct (find_state (all_states [d1; d2]) (kx d2) (kt d2)); [discriminate|reflexivity]. }
  assert (FS : forall s t, In s (all_states [d1; d2]) -> In t (G :: flat_map (fun d => [step' d; present (sm d); result (sm d)]) [d1; d2]) -> occurs (acc s) t = false).
  { intros s z HS [<-|Z]; [exact (proj1 (negb_true_iff _) (FG s HS))|]. specialize (A11 s HS). specialize (C11 s HS). rewrite forallb_forall in A11, C11.
    apply in_flat_map in Z as (d & [<-|[<-|[]]] & Z); apply negb_true_iff; [apply A11|apply C11];
      (destruct Z as [<-|[<-|[<-|[]]]]; [left; reflexivity|right; left; reflexivity|right; right; left; reflexivity]). }
  assert (IB : forall d t, In d [d1; d2] -> In t [present (bucket_mono d); result (bucket_mono d)] ->
    covered (slots (sm d1)) t = true /\ forall s, In s (all_states [d1; d2]) -> occurs (acc s) t = false).
  { intros d z [<-|[<-|[]]] Z; split.
    - apply A10. exact Z.
    - intros s HS. specialize (A11 s HS). rewrite forallb_forall in A11. apply negb_true_iff, A11. right; right; right.
      destruct Z as [<-|[<-|[]]]; [left|right; left]; reflexivity.
    - rewrite SE. apply C10. exact Z.
    - intros s HS. specialize (C11 s HS). rewrite forallb_forall in C11. apply negb_true_iff, C11. right; right; right.
      destruct Z as [<-|[<-|[]]]; [left|right; left]; reflexivity. }
  assert (PMW : forall d, In d [d1; d2] -> well ((fun _ => t) d) (pm d) /\ (fun _ : side => t) d1 = (fun _ => t) d2).
  { intros d [<-|[<-|[]]]; auto. }
  assert (PMC : forall d t, In d [d1; d2] -> In t [present (pm d); result (pm d)] -> covered [(Post, pair_type d, O)] t = true /\
    occurs Post t = false /\ forall s, In s (all_states [d1; d2]) -> occurs (acc s) t = false).
  { intros d z [<-|[<-|[]]] Z; (split; [|split]).
    - rewrite <- A14. destruct XP1, Z as [<-|[<-|[]]]; auto. - apply negb_true_iff, A13. destruct Z as [<-|[<-|[]]]; [left|right; left]; reflexivity.
    - intros s HS. specialize (A11 s HS). rewrite forallb_forall in A11. apply negb_true_iff, A11. right; right; right; right; right. exact Z.
    - rewrite <- C14. destruct XP2, Z as [<-|[<-|[]]]; auto. - apply negb_true_iff, C13. destruct Z as [<-|[<-|[]]]; [left|right; left]; reflexivity.
    - intros s HS. specialize (C11 s HS). rewrite forallb_forall in C11. apply negb_true_iff, C11. right; right; right; right; right. exact Z. }
  assert (KF : forall d t, In d [d1; d2] -> In t (G :: flat_map (fun d => [start d; step' d; source d; present (sm d); result (sm d); present (pm d); result (pm d)]) [d1; d2]) -> occurs (kx d) t = false).
  { intros d z HD [<-|Z].
    - destruct HD as [<-|[<-|[]]]; [exact (proj1 (negb_true_iff _) A18)|exact (proj1 (negb_true_iff _) C18)].
    - specialize (A16 d HD). specialize (C16 d HD). rewrite forallb_forall in A16, C16.
      apply in_flat_map in Z as (d' & [<-|[<-|[]]] & Z); apply negb_true_iff; [apply A16, Z|apply C16, Z]. }
  assert (KS : forall d s, In d [d1; d2] -> In s (slots (sm d1)) -> name_eqb (fst (fst s)) (kx d) = false).
  { intros d s [<-|[<-|[]]] HS; [exact (proj1 (negb_true_iff _) (A17 s HS))|exact (proj1 (negb_true_iff _) (KS12 s HS))]. }
  pose proof (or_introl eq_refl : In d1 [d1; d2]) as D1. pose proof (or_intror (or_introl eq_refl) : In d2 [d1; d2]) as D2.
  etransitivity; [|etransitivity; [|symmetry]].
  - apply (post_outputs d1 d2 (fun _ => t) r R d1 q1 D1 PM1 X1 A15 A14). now apply typed_meaning.
  - eapply (outputs_same G inv d1 d2 (slots (sm d1))) with (pt := fun _ => t); eauto.
  - apply (post_outputs d1 d2 (fun _ => t) r R d2 q2 D2 PM2 Y1 C15 C14). now apply typed_meaning.
Qed.
